import type { CliContext, JsonFlag } from '../context.ts'
import { headline } from './text.ts'

export interface AckFlags {
  note?: string
}

export const run = async (
  { connect, out }: CliContext,
  { note, json }: AckFlags & JsonFlag,
  id: string,
): Promise<void> => {
  const receipt = await connect().ack({ id, note })
  if (json) out.document(receipt)
  else out.line(headline(receipt, out.style))
}
