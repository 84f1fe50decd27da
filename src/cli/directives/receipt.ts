import type { CliContext, JsonFlag } from '../context.ts'
import { type ReceiptView, receiptText, stepLine } from './text.ts'

interface ReceiptFlags {
  follow?: boolean
  verbose?: boolean
}

export const run = async (context: CliContext, flags: ReceiptFlags & JsonFlag, id: string): Promise<void> => {
  const { connect, out, now } = context
  const view = { now: now(), style: out.style, isVerbose: flags.verbose }
  if (flags.follow) return follow(context, flags.json, id, view)
  const receipt = await connect().receipt({ id })
  if (flags.json) out.document(receipt)
  else out.line(receiptText(receipt, view))
}

const follow = async (
  { connect, out }: CliContext,
  json: boolean | undefined,
  id: string,
  view: ReceiptView,
): Promise<void> => {
  let shown: number | null = null
  for await (const receipt of connect().follow({ id, until: 'closed' })) {
    if (json) out.record(receipt)
    else if (shown === null) out.line(receiptText(receipt, view))
    else for (const step of receipt.steps.slice(shown)) out.line(stepLine(step, view))
    shown = receipt.steps.length
  }
}
