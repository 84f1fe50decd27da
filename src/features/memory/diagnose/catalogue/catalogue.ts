import { commitHooks } from './commit-hooks.ts'
import { data } from './data.ts'
import { database } from './database.ts'
import { docker } from './docker.ts'
import { dotnet } from './dotnet.ts'
import { environment } from './environment.ts'
import { gitRemote } from './git-remote.ts'
import { git } from './git.ts'
import { go } from './go.ts'
import { java } from './java.ts'
import type { KnownFailure } from './known.ts'
import { lint } from './lint.ts'
import { native } from './native.ts'
import { network } from './network.ts'
import { node } from './node.ts'
import { packagesJs } from './packages-js.ts'
import { python } from './python.ts'
import { rubyPhp } from './ruby-php.ts'
import { rust } from './rust.ts'
import { shells } from './shells.ts'
import { ssh } from './ssh.ts'
import { system } from './system.ts'
import { tests } from './tests.ts'
import { typescript } from './typescript.ts'

/** All failures that Rein knows without having seen them, one list for each family. */
export const catalogue: Readonly<Record<string, readonly KnownFailure[]>> = {
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
