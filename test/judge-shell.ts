import { evaluate } from '../src/rules/evaluate.ts'
import { noMemory } from '../src/rules/memory.ts'
import { plainWorld } from '../src/rules/plain-world.ts'
import type { Finding, RuleSet } from '../src/rules/types.ts'

export interface Whereabouts {
  readonly cwd: string
  readonly root: string
  readonly home: string
}

/** What rules say about a line that nobody runs. */
export const judgeShell = (set: RuleSet, command: string, places: Whereabouts): Promise<Finding[]> => {
  const action = { kind: 'shell' as const, command, cwd: places.cwd }
  const subject = { surface: 'shell' as const, action, tool: 'Bash', input: { command }, prompt: null }
  return evaluate(set, [subject], plainWorld({ ...places, now: () => 0 }), noMemory)
}
