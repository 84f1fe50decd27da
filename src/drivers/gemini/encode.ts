import type { HookCall, HookEvent, HookReply } from '../../contract/hooks.ts'
import { hookOutput } from '../hook-calls.ts'
import { contextText, formatGoOn } from './hook-text.ts'

const contextEvents: readonly HookEvent[] = ['session_start', 'prompt', 'after_tool']

/** Returns null when there is nothing to say: an empty answer could still change a decision. */
export const encode = (call: HookCall, reply: HookReply): unknown => {
  if (call.event === 'before_tool') {
    const { decision } = reply
    if (decision === null) return null
    const input = 'input' in decision ? decision.input : undefined
    const changed = input === undefined ? {} : hookOutput(call, { tool_input: input })
    // Never `allow`: that would answer the user's permission prompts. A rewritten input still asks.
    return decision.kind === 'rewrite' ? changed : { decision: decision.kind, reason: decision.reason, ...changed }
  }
  if (call.event === 'stop')
    return reply.goOn.length === 0 ? null : { decision: 'block', reason: formatGoOn(reply.goOn) }
  if (call.event === 'prompt' && reply.decision?.kind === 'deny')
    return { decision: 'deny', reason: reply.decision.reason }
  if (!contextEvents.includes(call.event) || reply.context.length === 0) return null
  return hookOutput(call, { additionalContext: contextText(reply.context) })
}
