import type { Driver } from '../drivers/contract.ts'
import type { Heard, RecordedCall } from './recorded-turn.ts'

/** How the CLIs, and Rein's policy, say that a call was not carried out. */
const refusals =
  /^(?:The user doesn't want to |The user's policy for this agent denies |Permission (?:to use |for this )|Claude requested permissions |Command blocked by PreToolUse hook|(?:\w+:)?[\w ]*hook (?:error|denied|blocked))/

/** A person, a rule or a hook kept it from being run. */
export const isRefused = ({ shell }: Driver, call: RecordedCall, result: Heard): boolean => {
  const { text, isError, raw } = result
  if (!isError) return false
  if (refusals.test(text)) return true
  const isShell = shell.call(call.name, call.input) !== null
  return isShell && shell.end({ type: 'tool_result', id: call.id, text, isError }, raw) === null
}
