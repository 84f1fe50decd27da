import type { CliContext, JsonFlag } from '../context.ts'
import { receiptText, stepLine } from './text.ts'

interface ReceiptFlags {
  follow?: boolean
  verbose?: boolean
}

export const run = async (context: CliContext, flags: ReceiptFlags & JsonFlag, id: string): Promise<void> => {
  const { connect, out, now } = context
  const view = { now: now(), style: out.style, isVerbose: flags.verbose }
  if (flags.follow) {
    let shown: number | null = null
    for await (const next of connect().follow({ id, until: 'closed' })) {
      if (flags.json) out.record(next)
      else if (shown === null) out.line(receiptText(next, view))
      else for (const step of next.steps.slice(shown)) out.line(stepLine(step, view))
      shown = next.steps.length
    }
    return
  }
  const receipt = await connect().receipt({ id })
  if (flags.json) out.document(receipt)
  else out.line(receiptText(receipt, view))
}
