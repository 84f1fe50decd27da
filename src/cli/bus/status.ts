import { busStatusText } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag): Promise<void> => {
  const status = await connect().busStatus({ cwd: cwd() })
  if (json) out.document(status)
  else out.line(busStatusText(status, now()))
}
