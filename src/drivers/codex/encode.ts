import type { HookCall, HookEvent, HookReply } from '../../contract/hooks.ts'
import { hookOutput, joinContext } from '../hook-calls.ts'

const contextEvents: readonly HookEvent[] = ['session_start', 'prompt', 'after_tool']

/** One field that Codex does not know makes it drop the whole answer without a word. */
export const encode = (call: HookCall, reply: HookReply): unknown => {
  if (call.event === 'before_tool') {
    const { decision } = reply
    if (decision === null) return null
    const { kind, reason } = decision
    // It runs a tool that a hook wants it to ask about, so Rein denies that call.
    if (kind !== 'rewrite') return hookOutput(call, { permissionDecision: 'deny', permissionDecisionReason: reason })
    const { input: updatedInput } = decision
    // Codex drops a new input without `allow`, which is no permission: it still asks what it would have asked.
    return hookOutput(call, { permissionDecision: 'allow', updatedInput, additionalContext: reason })
  }
  if (call.event === 'permission') {
    const { verdict } = reply
    if (verdict === undefined) return null
    return hookOutput(call, {
      decision: verdict.kind === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.reason },
    })
  }
  if (call.event === 'stop')
    return reply.goOn.length === 0 ? null : { decision: 'block', reason: joinContext(reply.goOn) }
  if (call.event === 'prompt' && reply.decision?.kind === 'deny')
    return { decision: 'block', reason: reply.decision.reason }
  if (!contextEvents.includes(call.event) || reply.context.length === 0) return null
  return hookOutput(call, { additionalContext: joinContext(reply.context) })
}
