import type { CliContext, JsonFlag } from '../context.ts'
import { headline } from './text.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag, id: string): Promise<void> => {
  const receipt = await connect().cancel({ id })
  if (json) out.document(receipt)
  else out.line(headline(receipt, out.style))
}
