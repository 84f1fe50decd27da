import { evaluate } from '../../src/features/rules/evaluate.ts'
import { ownFiles } from '../../src/features/rules/guard/own-files.ts'
import { ownVariables } from '../../src/features/rules/guard/own-variables.ts'
import { noMemory } from '../../src/features/rules/memory.ts'
import { plainWorld } from '../../src/features/rules/plain-world.ts'
import { readShell } from '../../src/base/shell/read.ts'
import type { Finding, RuleSet, World } from '../../src/features/rules/types.ts'

export interface Whereabouts {
  readonly cwd: string
  readonly root: string
  readonly home: string
}

/** The rules that hold wherever there is any. */
export const builtIn = ownFiles({
  state: '/home/ada/.local/state/rein',
  runtime: '/run/user/1000/rein',
  config: '/home/ada/.config/rein/config.toml',
  home: '/home/ada',
  env: {},
})

const variables = ownVariables({
  guards: '/home/ada/.local/state/rein/guards',
  socket: '/run/user/1000/rein/rein.sock',
  spool: '/home/ada/.local/state/rein/spool',
})

/** What rules say about a line that nobody runs; without `entries` all files that they name may be there. */
export const judgeShell = (
  set: RuleSet,
  command: string,
  places: Whereabouts,
  entries: World['entries'] = () => Promise.resolve(null),
): Promise<Finding[]> => {
  const action = { kind: 'shell' as const, command, cwd: places.cwd }
  const subject = { surface: 'shell' as const, action, tool: 'Bash', input: { command }, prompt: null }
  return evaluate(
    set,
    [subject],
    plainWorld({
      ...places,
      now: () => 0,
      entries,
      readShell: (line, cwd) => readShell(line, { cwd, home: places.home, variables }),
    }),
    noMemory,
  )
}
