import { ReinError } from '../../contract/errors.ts'
import { ackedText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export interface AckFlags {
  all?: boolean
}

export const run = async (
  { connect, out, cwd }: CliContext,
  { all = false, json }: AckFlags & JsonFlag,
  ...ids: string[]
): Promise<void> => {
  if (all === ids.length > 0) throw new ReinError('usage', 'Name events, or give --all.')
  const acked = await connect().ackEvents({ cwd: cwd(), ids, all })
  if (json) out.document(acked)
  else out.line(ackedText(acked))
}
