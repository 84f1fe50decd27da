import { type HookCall, type HookEvent, type HookReply } from '../../contract/hooks.ts'
import { joinContext } from '../hook-calls.ts'

/** Before a tool, context reaches the model too, but not the transcript: none is given there. */
const contextEvents: readonly HookEvent[] = ['session_start', 'prompt', 'after_tool']

/** Returns null when there is nothing to say: an empty answer could still change a decision. */
export const encode = (call: HookCall, reply: HookReply): unknown => {
  if (call.event === 'before_tool') {
    const { decision } = reply
    if (decision === null) return null
    // Never `allow`: that would answer the user's permission prompts. A rewritten input still asks.
    if (decision.kind === 'rewrite') return { modifiedArgs: decision.input, additionalContext: decision.reason }
    return { permissionDecision: decision.kind, permissionDecisionReason: decision.reason }
  }
  if (call.event === 'stop')
    return reply.goOn.length === 0 ? null : { decision: 'block', reason: joinContext(reply.goOn) }
  if (call.event === 'prompt' && reply.decision?.kind === 'deny')
    return { decision: 'block', reason: reply.decision.reason }
  if (!contextEvents.includes(call.event) || reply.context.length === 0) return null
  return { additionalContext: joinContext(reply.context) }
}
