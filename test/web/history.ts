import type { AnyNewRecord } from '../../src/contract/record.ts'
import { LogWriter } from '../../src/base/log/writer.ts'
import { openForWriting } from '../../src/base/store/sqlite.ts'
import { migrations, projectors } from '../../src/daemon/schema.ts'
import { migrate } from '../../src/base/store/migrate.ts'
import { turnEnded, turnEntry, turnStarted } from '../support/turn-records.ts'

const perCommit = 1000

/** Turns as the daemon would have written them, in the database of one that does not run. */
export const writeHistory = (database: string, agent: string, count: number): void => {
  const db = openForWriting(database)
  migrate(db, migrations)
  const writer = new LogWriter(db, projectors)
  const records = Array.from({ length: count }, (_, at) => recordsOf(agent, at)).flat()
  for (let from = 0; from < records.length; from += perCommit)
    writer.write([{ kind: 'append', records: records.slice(from, from + perCommit), cursors: [] }])
  db.close()
}

const recordsOf = (agent: string, at: number): AnyNewRecord[] => {
  const parts = { turn: `turn-${at}`, conversation: 'earlier', agent, at: 1_700_000_000_000 + at * 1000 }
  const text = `Reply number ${at}. ${'It says a little more than that. '.repeat(at % 12)}`
  return [turnStarted(parts), turnEntry(parts, `entry-${at}`, { type: 'text', text }), turnEnded(parts)]
}
