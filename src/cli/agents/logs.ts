import type { CliContext, JsonFlag } from '../context.ts'
import { turnLines } from '../sessions/turn-text.ts'

const usualLimit = 50

export const run = async (
  context: CliContext,
  flags: { limit?: number; follow?: boolean } & JsonFlag,
  target?: string,
): Promise<void> => {
  const { connect, out, cwd, now } = context
  const { limit: lines = usualLimit, follow, json } = flags
  for await (const record of connect().logs({ target, cwd: cwd(), lines, follow })) {
    if (json) out.record(record)
    else for (const line of turnLines(record, now(), out.style)) out.line(line)
  }
}
