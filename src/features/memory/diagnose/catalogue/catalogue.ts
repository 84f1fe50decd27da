import { listElements, type OneOrMore, parsePattern } from '../../../../base/util/table.ts'
import { table as commitHooks } from './commit-hooks.yaml'
import { table as data } from './data.yaml'
import { table as database } from './database.yaml'
import { table as docker } from './docker.yaml'
import { table as dotnet } from './dotnet.yaml'
import { table as environment } from './environment.yaml'
import { table as gitRemote } from './git-remote.yaml'
import { table as git } from './git.yaml'
import { table as go } from './go.yaml'
import { table as java } from './java.yaml'
import type { KnownFailure } from './known.ts'
import { table as lint } from './lint.yaml'
import { table as native } from './native.yaml'
import { table as network } from './network.yaml'
import { table as node } from './node.yaml'
import { table as packagesJs } from './packages-js.yaml'
import { table as python } from './python.yaml'
import { table as rubyPhp } from './ruby-php.yaml'
import { table as rust } from './rust.yaml'
import { table as shells } from './shells.yaml'
import { table as ssh } from './ssh.yaml'
import { table as system } from './system.yaml'
import { table as tests } from './tests.yaml'
import { table as typescript } from './typescript.yaml'

/** A failure as a table has it, under its name. */
interface FailureEntry {
  programs?: OneOrMore<string>
  exits?: OneOrMore<number>
  output?: OneOrMore<string>
  general?: true
  vague?: true
  obvious?: true
  means: string
  run?: OneOrMore<string>
  /** `exit` is 1 unless another one is given. */
  sample: { command: string; exit?: number; output: string }
}

const tables: Record<string, unknown> = {
  shells,
  system,
  network,
  ssh,
  git,
  'git remote': gitRemote,
  'commit hooks': commitHooks,
  docker,
  python,
  node,
  'npm, pnpm, yarn, bun': packagesJs,
  typescript,
  go,
  rust,
  'make, cmake, C': native,
  java,
  dotnet,
  'ruby, php': rubyPhp,
  tests,
  lint,
  database,
  environment,
  'data and time': data,
}

const readFailures = (table: unknown): KnownFailure[] =>
  Object.entries(table as Record<string, FailureEntry>).map(([name, { programs, exits, output, ...entry }]) => ({
    ...entry,
    name,
    ...(programs !== undefined && { programs: listElements(programs) }),
    ...(exits !== undefined && { exits: listElements(exits) }),
    ...(output !== undefined && { output: listElements(output).map(parsePattern) }),
    run: listElements(entry.run),
    sample: { exit: 1, ...entry.sample },
  }))

/** All failures that Rein knows without having seen them, one list for each family. */
export const catalogue: Readonly<Record<string, readonly KnownFailure[]>> = Object.fromEntries(
  Object.entries(tables).map(([family, table]) => [family, readFailures(table)]),
)
