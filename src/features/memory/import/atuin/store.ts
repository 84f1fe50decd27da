import { outcomeOf, person } from '../../../../contract/outcome.ts'
import type { Database, SqlValue } from '../../../../base/store/sqlite.ts'
import type { Found } from '../history-reader.ts'

const pageSize = 1000

/** The names that atuin's own hooks give to agents, and Rein's names. */
const agentNames: ReadonlyMap<string, string> = new Map([
  ['claude-code', 'claude'],
  ['codex', 'codex'],
  ['copilot', 'copilot'],
  ['opencode', 'opencode'],
  ['pi', 'pi'],
])

const numberOrNull = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null)

/** All commands that atuin has not deleted, in the order in which they came; `db` is best opened read-only. */
export function* readAtuin(db: Database): Generator<Found> {
  const table = db.prepare('PRAGMA table_info(history)').all()
  const columns = new Set(table.map(({ name }) => name))
  // Older versions have fewer columns. Nanoseconds exceed the exact numbers of JavaScript.
  const query = db.prepare(
    `SELECT rowid AS position, id, command, cwd, exit, session, hostname,
      ${columns.has('author') ? 'author' : 'NULL'} AS author,
      timestamp / 1000000 AS at, CASE WHEN duration < 0 THEN NULL ELSE duration / 1000000 END AS took
    FROM history WHERE rowid > ? ${columns.has('deleted_at') ? 'AND deleted_at IS NULL' : ''}
    ORDER BY rowid LIMIT ${pageSize}`,
  )
  for (let position = 0; ; ) {
    const rows = query.all(position)
    for (const { id, command, at, cwd, exit, took, session, author, hostname } of rows) {
      const code = exit === -1 ? null : numberOrNull(exit)
      // A person may have the name of an agent: then it is also the user of the host.
      const isUser = String(hostname).endsWith(`:${String(author)}`)
      yield {
        key: String(id),
        command: String(command),
        at: numberOrNull(at),
        cwd: String(cwd).startsWith('/') ? String(cwd) : null,
        exit: code,
        durationMs: numberOrNull(took),
        session: typeof session === 'string' && session !== '' ? session : null,
        author: isUser ? person : (agentNames.get(String(author)) ?? person),
        outcome: outcomeOf(code),
        output: null,
      }
    }
    const last = rows.at(-1)
    if (last === undefined) return
    position = Number(last['position'])
  }
}
