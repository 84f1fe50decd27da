import type { Database, Row, SqlValue } from '../../../../base/store/sqlite.ts'
import type { Outcome } from '../../../../contract/outcome.ts'
import { person } from '../../../../contract/outcome.ts'
import type { Found } from '../found.ts'

const pageSize = 1000

/** All that atuin remembers and has not deleted, in the order in which it came; `db` is best opened read-only. */
export function* readAtuin(db: Database): Generator<Found> {
  const query = queryFor(db)
  for (let position = 0; ; ) {
    const rows = db.prepare(query).all(position)
    for (const row of rows) yield recorded(row)
    const last = rows.at(-1)
    if (last === undefined) return
    position = Number(last['position'])
  }
}

/** Times are in nanoseconds, more than a number of JavaScript can hold. Older versions have fewer columns. */
const queryFor = (db: Database): string => {
  const columns = new Set(
    db
      .prepare('PRAGMA table_info(history)')
      .all()
      .map((row) => row['name']),
  )
  const author = columns.has('author') ? 'author' : 'NULL'
  const kept = columns.has('deleted_at') ? 'AND deleted_at IS NULL' : ''
  return `SELECT rowid AS position, id, command, cwd, exit, session, hostname, ${author} AS author,
      timestamp / 1000000 AS at, CASE WHEN duration < 0 THEN NULL ELSE duration / 1000000 END AS took
    FROM history WHERE rowid > ? ${kept} ORDER BY rowid LIMIT ${pageSize}`
}

const recorded = (row: Row): Found => ({
  key: String(row['id']),
  command: String(row['command']),
  at: numberOrNull(row['at']),
  cwd: String(row['cwd']).startsWith('/') ? String(row['cwd']) : null,
  exit: row['exit'] === -1 ? null : numberOrNull(row['exit']),
  durationMs: numberOrNull(row['took']),
  session: typeof row['session'] === 'string' && row['session'] !== '' ? row['session'] : null,
  author: authorOf(row),
  outcome: outcomeOf(row['exit']),
  output: null,
})

/** 130: somebody pressed Ctrl-C. */
const outcomeOf = (exit: SqlValue | undefined): Outcome => {
  if (exit === 130) return 'interrupted'
  if (typeof exit !== 'number' || exit === -1) return 'unknown'
  return exit === 0 ? 'ok' : 'failed'
}

const numberOrNull = (value: SqlValue | undefined): number | null => (typeof value === 'number' ? value : null)

/** The names that atuin's own hooks give to agents, in Rein's words. */
const agents: Record<string, string> = {
  'claude-code': 'claude',
  codex: 'codex',
  copilot: 'copilot',
  opencode: 'opencode',
  pi: 'pi',
}

/** A person may be called like an agent: then that is also the user of the host. */
const authorOf = ({ author, hostname }: Row): string => {
  const name = String(author)
  const isUser = String(hostname).endsWith(`:${name}`)
  return isUser || !Object.hasOwn(agents, name) ? person : (agents[name] ?? person)
}
