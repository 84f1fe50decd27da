import type { HookCall } from '../../../contract/hooks.ts'
import type { Driver } from '../../../drivers/contract.ts'
import type { RulesOfPlace } from '../book.ts'
import { evaluate } from '../evaluate.ts'
import { noMemory } from '../memory.ts'
import { byWeight, toldOf } from '../message.ts'
import { subjectsOf } from '../subjects.ts'
import { nobodyToAsk } from './without-daemon.ts'
import type { Finding, World } from '../types.ts'

interface StrangerPorts {
  rulesFor: (cwd: string) => Promise<RulesOfPlace>
  actions: Driver['actions']
  world: (call: HookCall, root: string | null) => World
  /** Which findings stop the call: those of guards, unless told otherwise. */
  stops?: (finding: Finding) => boolean
}

/** The denial by guards of a call of an unknown process; null if they let it pass. */
export const strangerVerdict = async (
  { rulesFor, actions, world, stops = ({ action, rule }) => action === 'block' && rule.rule.guard }: StrangerPorts,
  call: HookCall,
  project: string,
): Promise<string | null> => {
  const { root, set } = await rulesFor(project)
  if (set.rules.length === 0) return null
  const findings = await evaluate(set, subjectsOf(call, actions), world(call, root), noMemory)
  const [best] = findings.filter(stops).toSorted(byWeight)
  if (best === undefined) return null
  return best.action === 'ask' ? `${toldOf(best)}\n${nobodyToAsk}` : toldOf(best)
}
