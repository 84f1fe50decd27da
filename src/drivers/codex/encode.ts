import {
  contextSeparator,
  type ContextPart,
  type Decision,
  type HookCall,
  type HookEvent,
  type HookReply,
  type Verdict,
} from '../../contract/hooks.ts'

const contextEvents: readonly HookEvent[] = ['session_start', 'prompt', 'after_tool']

/** One field that Codex does not know makes it drop the whole answer without a word. */
export const encode = (call: HookCall, reply: HookReply): unknown => {
  if (call.event === 'before_tool') return reply.decision === null ? null : specific(call, decided(reply.decision))
  if (call.event === 'permission') return reply.verdict === undefined ? null : specific(call, permission(reply.verdict))
  if (call.event === 'stop') return reply.goOn.length === 0 ? null : { decision: 'block', reason: joined(reply.goOn) }
  if (call.event === 'prompt' && reply.decision?.kind === 'deny')
    return { decision: 'block', reason: reply.decision.reason }
  if (!contextEvents.includes(call.event) || reply.context.length === 0) return null
  return specific(call, { additionalContext: joined(reply.context) })
}

const specific = (call: HookCall, fields: Record<string, unknown>): unknown => ({
  hookSpecificOutput: { hookEventName: call.native, ...fields },
})

const joined = (parts: ContextPart[]): string => parts.map((part) => part.text).join(contextSeparator)

/** Only a policy of the user's gives a verdict. */
const permission = (verdict: Verdict): Record<string, unknown> => ({
  decision: verdict.kind === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: verdict.reason },
})

/**
 * Codex drops a new input without `allow`, which is no permission: it still asks what it would have asked.
 * It runs a tool that a hook wants it to ask about, so that is a denial here.
 */
const decided = (decision: Decision): Record<string, unknown> =>
  decision.kind === 'rewrite'
    ? { permissionDecision: 'allow', updatedInput: decision.input, additionalContext: decision.reason }
    : { permissionDecision: 'deny', permissionDecisionReason: decision.reason }
