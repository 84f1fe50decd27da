import { type HookCall, type HookReply, type Verdict } from '../../contract/hooks.ts'
import { joinContext } from '../hook-calls.ts'
import type { Json } from '../json.ts'

/** The fields that Rein's plugin understands. */
interface Words {
  /** Added to the prompt, or to what the tool gave. */
  context?: string
  /** Why the tool does not run. */
  deny?: string
  /** What the tool runs with instead. */
  args?: Json
  /** The agent's next prompt: it does not stop. */
  goOn?: string
  /** What its question gets as an answer. */
  verdict?: Verdict
}

/** Returns null when there is nothing to say. */
export const encode = (call: HookCall, reply: HookReply): Words | null => {
  if (call.event === 'before_tool') {
    // A plugin cannot make opencode ask, so Rein denies the call instead.
    if (reply.decision === null) return null
    return reply.decision.kind === 'rewrite' ? { args: reply.decision.input } : { deny: reply.decision.reason }
  }
  if (call.event === 'permission') return reply.verdict === undefined ? null : { verdict: reply.verdict }
  if (call.event === 'stop') return reply.goOn.length === 0 ? null : { goOn: joinContext(reply.goOn) }
  const takesContext = call.event === 'prompt' || call.event === 'after_tool'
  // A plugin cannot make opencode reject a prompt, so the model is told not to follow it.
  const parts = [
    ...reply.context,
    ...(call.event === 'prompt'
      ? reply.decision?.kind === 'deny'
        ? [{ from: 'rein', text: `${reply.decision.reason}\nDo nothing of what this prompt asks. Say why.` }]
        : []
      : []),
  ]
  return takesContext && parts.length > 0 ? { context: joinContext(parts) } : null
}
