import { type Decision, type HookCall, type HookEvent, type HookReply, type Verdict } from '../../contract/hooks.ts'
import { hookOutput, joinContext } from '../hook-calls.ts'
import type { Json } from '../json.ts'
import { hasStopContext } from './capabilities.ts'

const contextEvents: readonly HookEvent[] = ['session_start', 'prompt', 'after_tool', 'after_batch', 'stop']

/** Before a tool, context would reach the model only with the tool's result, so none is given there. */
export const canGiveContext = (event: HookEvent): boolean => contextEvents.includes(event)

/** Nothing to say is said by saying nothing: an answer without content could still change a decision. */
export const encode = (call: HookCall, reply: HookReply, version: string): unknown => {
  if (call.event === 'before_tool') return reply.decision === null ? null : hookOutput(call, decided(reply.decision))
  if (call.event === 'permission')
    return reply.verdict === undefined ? null : hookOutput(call, permission(call, reply.verdict))
  if (call.event === 'stop') return stop(call, reply, version)
  if (call.event === 'prompt' && reply.decision?.kind === 'deny')
    return { decision: 'block', reason: reply.decision.reason }
  if (!canGiveContext(call.event) || reply.context.length === 0) return null
  return hookOutput(call, { additionalContext: joinContext(reply.context) })
}

const stop = (call: HookCall, reply: HookReply, version: string): unknown => {
  if (reply.goOn.length === 0) return null
  if (hasStopContext(version)) return hookOutput(call, { additionalContext: joinContext(reply.goOn) })
  return { decision: 'block', reason: joinContext(reply.goOn) }
}

/** Only a policy of the user's gives a verdict. */
const permission = (call: HookCall, verdict: Verdict): Json => ({
  decision: verdict.kind === 'allow' ? allowed(call) : { behavior: 'deny', message: verdict.reason },
})

/** A tool that is itself a question to a person takes a yes only together with its input. */
const allowed = ({ question, tools: [tool] }: HookCall): Json =>
  question?.kind === 'plan' ? { behavior: 'allow', updatedInput: tool?.input ?? {} } : { behavior: 'allow' }

/** Never `allow`: that would answer the user's permission prompts. A rewritten input still asks. */
const decided = (decision: Decision): Json => {
  if (decision.kind === 'rewrite') return { updatedInput: decision.input, additionalContext: decision.reason }
  const changed = decision.kind === 'ask' && decision.input !== undefined ? { updatedInput: decision.input } : {}
  return { permissionDecision: decision.kind, permissionDecisionReason: decision.reason, ...changed }
}
