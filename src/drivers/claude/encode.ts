import { type Decision, type HookCall, type HookEvent, type HookReply } from '../../contract/hooks.ts'
import { hookOutput, joinContext } from '../hook-calls.ts'
import type { Json } from '../json.ts'
import { hasStopContext } from './capabilities.ts'

const contextEvents: readonly HookEvent[] = ['session_start', 'prompt', 'after_tool', 'after_batch', 'stop']

/** Before a tool, context would reach the model only with the tool's result, so none is given there. */
export const canGiveContext = (event: HookEvent): boolean => contextEvents.includes(event)

/** Returns null when there is nothing to say: an empty answer could still change a decision. */
export const encode = (call: HookCall, reply: HookReply, version: string): unknown => {
  if (call.event === 'before_tool') return reply.decision === null ? null : hookOutput(call, decided(reply.decision))
  if (call.event === 'permission') {
    const { verdict } = reply
    if (verdict === undefined) return null
    if (verdict.kind === 'deny') return hookOutput(call, { decision: { behavior: 'deny', message: verdict.reason } })
    // A tool that is itself a question to a person takes a yes only together with its input.
    const input = call.question?.kind === 'plan' ? { updatedInput: call.tools[0]?.input ?? {} } : {}
    return hookOutput(call, { decision: { behavior: 'allow', ...input } })
  }
  if (call.event === 'stop') {
    if (reply.goOn.length === 0) return null
    if (hasStopContext(version)) return hookOutput(call, { additionalContext: joinContext(reply.goOn) })
    return { decision: 'block', reason: joinContext(reply.goOn) }
  }
  if (call.event === 'prompt' && reply.decision?.kind === 'deny')
    return { decision: 'block', reason: reply.decision.reason }
  if (!canGiveContext(call.event) || reply.context.length === 0) return null
  return hookOutput(call, { additionalContext: joinContext(reply.context) })
}

/** Never `allow`: that would answer the user's permission prompts. A rewritten input still asks. */
const decided = (decision: Decision): Json => {
  if (decision.kind === 'rewrite') return { updatedInput: decision.input, additionalContext: decision.reason }
  const changed = decision.kind === 'ask' && decision.input !== undefined ? { updatedInput: decision.input } : {}
  return { permissionDecision: decision.kind, permissionDecisionReason: decision.reason, ...changed }
}
