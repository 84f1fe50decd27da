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
  let isEmpty = true
  for await (const record of connect().logs({ target, cwd: cwd(), lines, follow })) {
    isEmpty = false
    if (json) out.record(record)
    else for (const line of turnLines(record, now(), out.style)) out.line(line)
  }
  if (isEmpty && !follow) out.note(`rein: ${target ?? 'This agent'} has done nothing yet. See its state: rein ps --all`)
}
