import { evaluate } from '../src/rules/evaluate.ts'
import { noMemory } from '../src/rules/memory.ts'
import type { Finding, RuleSet, World } from '../src/rules/types.ts'
import { readShell } from '../src/shell/read.ts'

export interface Whereabouts {
  readonly cwd: string
  readonly root: string
  readonly home: string
}

/** What rules say about a line that nobody runs: the world beside it is empty. */
export const judgeShell = (set: RuleSet, command: string, places: Whereabouts): Promise<Finding[]> =>
  evaluate(
    set,
    [
      {
        surface: 'shell',
        action: { kind: 'shell', command, cwd: places.cwd },
        tool: 'Bash',
        input: { command },
        prompt: null,
      },
    ],
    worldAt(places),
    noMemory,
  )

const worldAt = ({ cwd, root, home }: Whereabouts): World => ({
  root,
  cwd,
  home,
  agent: null,
  now: () => 0,
  branch: () => Promise.resolve(null),
  isDirty: () => Promise.resolve(false),
  realPath: (path) => Promise.resolve(path),
  readFile: () => Promise.resolve(null),
  lease: () => 'none',
  budgetUsed: () => null,
  ran: () => [],
  hasEdited: () => false,
  readShell: (line, directory) => readShell(line, { cwd: directory, home }),
})
