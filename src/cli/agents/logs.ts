import type { AnyRecord } from '../../contract/record.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { turnLines } from '../sessions/turn-text.ts'

const usualLimit = 50

/** A CLI may write the last words of a turn after its stop hook was called: to read, they come before the end. */
export async function* endsLast(records: AsyncIterable<AnyRecord>): AsyncGenerator<AnyRecord> {
  let end: Extract<AnyRecord, { type: 'turn.ended' }> | null = null
  for await (const record of records) {
    if (end !== null && !(record.type === 'turn.entry' && record.body.turn === end.body.turn)) {
      yield end
      end = null
    }
    if (record.type === 'turn.ended') end = record
    else yield record
  }
  if (end !== null) yield end
}

export const run = async (
  context: CliContext,
  flags: { limit?: number; follow?: boolean } & JsonFlag,
  target?: string,
): Promise<void> => {
  const { connect, out, cwd, now } = context
  const { limit: lines = usualLimit, follow, json } = flags
  let isEmpty = true
  const records = connect().logs({ target, cwd: cwd(), lines, follow })
  for await (const record of follow || json ? records : endsLast(records)) {
    isEmpty = false
    if (json) out.record(record)
    else for (const line of turnLines(record, now(), out)) out.line(line)
  }
  if (isEmpty && !follow) out.note(`rein: ${target ?? 'This agent'} has done nothing yet. See its state: rein ps --all`)
}
