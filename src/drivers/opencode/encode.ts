import {
  contextSeparator,
  type ContextPart,
  type HookCall,
  type HookReply,
  type Verdict,
} from '../../contract/hooks.ts'

/** The words that Rein's plugin understands. */
interface Words {
  /** Added to the prompt, or to what the tool gave. */
  context?: string
  /** Why the tool does not run. */
  deny?: string
  /** What the tool runs with instead. */
  args?: Record<string, unknown>
  /** The agent's next prompt: it does not stop. */
  goOn?: string
  /** What its question gets as an answer. */
  verdict?: Verdict
}

/** Nothing to say is said by saying nothing. */
export const encode = (call: HookCall, reply: HookReply): Words | null => {
  if (call.event === 'before_tool') return decided(reply)
  if (call.event === 'permission') return reply.verdict === undefined ? null : { verdict: reply.verdict }
  if (call.event === 'stop') return reply.goOn.length === 0 ? null : { goOn: joined(reply.goOn) }
  const takesContext = call.event === 'prompt' || call.event === 'after_tool'
  const parts = [...reply.context, ...(call.event === 'prompt' ? refusal(reply) : [])]
  return takesContext && parts.length > 0 ? { context: joined(parts) } : null
}

/** A plugin cannot keep opencode from taking in a prompt: the model is told not to follow it. */
const refusal = ({ decision }: HookReply): ContextPart[] =>
  decision?.kind === 'deny'
    ? [{ from: 'rein', text: `${decision.reason}\nDo nothing of what this prompt asks. Say why.` }]
    : []

const joined = (parts: ContextPart[]): string => parts.map((part) => part.text).join(contextSeparator)

/** A plugin cannot make opencode ask: what is to be asked does not run. */
const decided = ({ decision }: HookReply): Words | null => {
  if (decision === null) return null
  return decision.kind === 'rewrite' ? { args: decision.input } : { deny: decision.reason }
}
