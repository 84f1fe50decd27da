import { channelsText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out }: CliContext, { json }: JsonFlag): Promise<void> => {
  const listed = await connect().channels()
  if (json) out.document(listed)
  else out.line(channelsText(listed))
}
