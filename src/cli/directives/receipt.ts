import type { CliContext, JsonFlag } from '../context.ts'
import { receiptText, stepLine } from './text.ts'

export const run = async (context: CliContext, flags: { follow?: boolean } & JsonFlag, id: string): Promise<void> => {
  const { connect, out, now } = context
  if (flags.follow) return follow(context, flags.json, id)
  const receipt = await connect().receipt({ id })
  if (flags.json) out.document(receipt)
  else out.line(receiptText(receipt, now(), out.style))
}

const follow = async ({ connect, out, now }: CliContext, json: boolean | undefined, id: string): Promise<void> => {
  let shown: number | null = null
  for await (const receipt of connect().follow({ id, until: 'closed' })) {
    if (json) out.record(receipt)
    else if (shown === null) out.line(receiptText(receipt, now(), out.style))
    else for (const step of receipt.steps.slice(shown)) out.line(stepLine(step, now(), out.style))
    shown = receipt.steps.length
  }
}
