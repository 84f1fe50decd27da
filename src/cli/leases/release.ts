import type { CliContext, JsonFlag } from '../context.ts'
import { leaseText } from './text.ts'

export const run = async ({ connect, out, cwd, now }: CliContext, { json }: JsonFlag, lease: string): Promise<void> => {
  const released = await connect().releaseLease({ cwd: cwd(), lease })
  if (json) out.document(released)
  else for (const one of released) out.line(leaseText(one, now()))
}
