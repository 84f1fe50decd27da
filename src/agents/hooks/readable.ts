import type { ContextPart, HookReply } from '../../contract/hooks.ts'
import { escapeUnsafe } from '../../base/util/visible.ts'

/** The reply as the agent reads it, without text that only the model would see. A fence is escaped already. */
export const readable = ({ decision, verdict, context, goOn, ...rest }: HookReply): HookReply => ({
  ...rest,
  decision: decision === null ? null : { ...decision, reason: escapeUnsafe(decision.reason) },
  ...(verdict === undefined
    ? {}
    : { verdict: verdict.kind === 'deny' ? { ...verdict, reason: escapeUnsafe(verdict.reason) } : verdict }),
  context: context.map(readablePart),
  goOn: goOn.map(readablePart),
})

const readablePart = (part: ContextPart): ContextPart => ({ ...part, text: escapeUnsafe(part.text) })
