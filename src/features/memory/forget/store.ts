import type { Database } from '../../../base/store/sqlite.ts'
import { Scrubber } from './scrub.ts'

/** Topics about the work of agents; not messages between people and agents, which are signed. */
const topics = ['turns', 'agents', 'rules', 'loops', 'runs', 'notes']
const pageSize = 500

/** Removes commands of an agent from the records about it; the records and the rest of their text stay. */
export const scrubRecords = (db: Database, agent: string, commands: readonly string[]): void => {
  const scrubber = new Scrubber(commands)
  const read = db.prepare(
    `SELECT seq, body FROM record WHERE agent = ? AND topic IN (${topics.map(() => '?').join(', ')}) AND seq > ? ORDER BY seq LIMIT ?`,
  )
  const write = db.prepare('UPDATE record SET body = ? WHERE seq = ?')
  for (let after = 0, isMore = true; isMore; ) {
    const rows = read.all(agent, ...topics, after, pageSize)
    for (const { seq = 0, body } of rows) {
      const scrubbed = scrubber.json(String(body))
      if (scrubbed !== null) write.run(scrubbed, seq)
      after = Number(seq)
    }
    isMore = rows.length === pageSize
  }
}
