import type { AnyRecord, LogRecord } from '../../../contract/record.ts'
import { toRecord } from '../../../base/log/store.ts'
import type { Database } from '../../../base/store/sqlite.ts'

/** The records that become lines: ends of turns, and entries after the end of their turn that the CLI did not write itself. */
type LastRecord = LogRecord<'turn.ended'> | LogRecord<'turn.entry'>

const makesLine = `topic = 'turns' AND (type = 'turn.ended' OR type = 'turn.entry'
  AND json_extract(record.body, '$.role') <> 'system' AND EXISTS (
  SELECT 1 FROM record AS ended WHERE ended.seq < record.seq AND ended.id =
    json_extract(record.body, '$.conversation') || ':' || json_extract(record.body, '$.turn') || ':turn.ended'))`

/** Where the newest record stands that makes a line, of those after a position; null if none does. */
export const newestLine = (db: Database, after: number): number | null => {
  const row = db.prepare(`SELECT max(seq) AS seq FROM record WHERE ${makesLine} AND seq > ?`).get(after)
  return row?.seq == null ? null : Number(row.seq)
}

/** The first record after a position that makes a line, of one agent or of all. */
export const nextLast = (db: Database, after: number, agent: string | null): LastRecord | null => {
  const ofAgent = agent === null ? '' : 'AND agent = ?'
  const sql = `SELECT * FROM record WHERE ${makesLine} AND seq > ? ${ofAgent} ORDER BY seq LIMIT 1`
  const row = db.prepare(sql).get(after, ...(agent === null ? [] : [agent]))
  return row === undefined ? null : (toRecord(row) as LastRecord)
}

/** Everything on the log that belongs to a turn up to its end. */
export const recordsOfTurn = (db: Database, { seq, agent, body }: LogRecord<'turn.ended'>): AnyRecord[] => {
  const { conversation, turn } = body
  const started = db.prepare('SELECT seq FROM record WHERE id = ?').get(`${conversation}:${turn}:turn.started`)
  const rows = db
    .prepare("SELECT * FROM record WHERE agent IS ? AND topic = 'turns' AND seq >= ? AND seq < ? ORDER BY seq")
    .all(agent, started?.seq ?? 0, seq)
  return rows
    .map(toRecord)
    .filter((record) => 'turn' in record.body && record.body.conversation === conversation && record.body.turn === turn)
}
