import type { Advice, Command } from '../../contract/command.ts'
import { blank } from '../../contract/outcome.ts'
import type { LogRecord } from '../../contract/record.ts'
import type { Projector, StorePart } from '../../base/log/projector.ts'
import { dropDamaged } from '../../base/log/repair/store.ts'
import type { Migration } from '../../base/store/migrate.ts'
import type { Database, Row, SqlValue } from '../../base/store/sqlite.ts'
import { scrubRecords } from './forget/store.ts'
import type { KeptTexts } from './forgettable.ts'

/** `record` is the seq of the source record; `next` the command that ran after an advice. */
export const memoryTables: Migration = {
  number: 11,
  name: 'memory',
  sql: `
    CREATE TABLE command (
      rowid INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      record INTEGER NOT NULL,
      project TEXT NOT NULL,
      agent TEXT,
      session TEXT NOT NULL,
      author TEXT NOT NULL,
      at INTEGER,
      heard INTEGER NOT NULL,
      command TEXT NOT NULL,
      cwd TEXT,
      exit INTEGER,
      duration_ms INTEGER,
      outcome TEXT NOT NULL,
      output TEXT,
      branch TEXT,
      is_dirty INTEGER,
      tools TEXT NOT NULL,
      edited TEXT NOT NULL,
      source TEXT NOT NULL,
      secrets INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX command_project ON command (project, rowid);
    CREATE INDEX command_author ON command (project, author, rowid);
    CREATE INDEX command_session ON command (session, rowid);
    CREATE INDEX command_heard ON command (heard);
    CREATE INDEX command_kept ON command (rowid) WHERE command <> '';
    CREATE INDEX command_time ON command (coalesce(at, heard));
    CREATE INDEX command_project_time ON command (project, coalesce(at, heard));
    CREATE TABLE advice (
      rowid INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      record INTEGER NOT NULL,
      project TEXT NOT NULL,
      agent TEXT,
      session TEXT NOT NULL,
      author TEXT NOT NULL,
      at INTEGER NOT NULL,
      moment TEXT NOT NULL,
      kind TEXT NOT NULL,
      is_shown INTEGER NOT NULL,
      why TEXT NOT NULL,
      text TEXT,
      about TEXT,
      suggestions TEXT NOT NULL,
      next TEXT
    ) STRICT;
    CREATE INDEX advice_project ON advice (project, rowid);
    CREATE INDEX advice_session ON advice (session, rowid);
    CREATE INDEX advice_open ON advice (session) WHERE next IS NULL;
    CREATE INDEX advice_at ON advice (at);
    CREATE INDEX advice_shown ON advice (project, rowid) WHERE is_shown = 1;
    CREATE TABLE shell_session (
      id TEXT PRIMARY KEY,
      project TEXT NOT NULL,
      author TEXT NOT NULL,
      cwd TEXT,
      started INTEGER,
      ended INTEGER
    ) STRICT;
  `,
}

/** Commands of people are looked up by their text. */
const peopleIndex: Migration = {
  number: 15,
  name: 'commands of people by text',
  sql: "CREATE INDEX command_of_people ON command (command) WHERE author = 'person'",
}

const memoryProjector: Projector = {
  name: 'memory',
  clear: (db) => db.exec('DELETE FROM command; DELETE FROM advice; DELETE FROM shell_session'),
  apply: (db, record) => {
    const { seq, at, agent } = record
    const project = record.project ?? ''
    if (record.type === 'command.ran') keep(db, record)
    if (record.type === 'command.forgotten') forget(db, record)
    if (record.type === 'command.session') {
      const { id, author, cwd, event } = record.body.session
      insertRow(db, 'shell_session', { id, project, author, cwd })
      db.prepare(`UPDATE shell_session SET ${event === 'start' ? 'started' : 'ended'} = ? WHERE id = ?`).run(at, id)
    }
    if (record.type === 'advice.decided') {
      const { advice, next } = record.body
      insertRow(db, 'advice', {
        id: advice.id,
        record: seq,
        project,
        agent,
        session: advice.session,
        author: advice.author,
        at,
        moment: advice.moment,
        kind: advice.kind,
        is_shown: Number(advice.isShown),
        why: advice.why,
        text: advice.text,
        about: advice.about,
        suggestions: JSON.stringify(advice.suggestions),
        next,
      })
    }
  },
  pruned: (db, topic, floor) => {
    if (topic !== 'advices') return
    // The first one shown in a project stays, without its words: figures compare with the time before it.
    db.prepare(
      `DELETE FROM advice WHERE record <= ?
       AND rowid NOT IN (SELECT min(rowid) FROM advice WHERE is_shown = 1 GROUP BY project)`,
    ).run(floor)
    db.prepare("UPDATE advice SET text = NULL, about = NULL, suggestions = '[]' WHERE record <= ?").run(floor)
  },
}

const insertRow = (db: Database, table: string, row: Row): number => {
  const columns = Object.keys(row)
  const sql = `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
  return db.prepare(sql).run(...Object.values(row)).changes
}

/** A program may report half a millisecond; a STRICT column takes none. */
const roundOrNull = (value: number | null): number | null => (value === null ? null : Math.round(value))

const keep = (db: Database, { seq, at: heard, agent, project, body }: LogRecord<'command.ran'>): void => {
  // A command that began before an advice does not answer it; an advice before a command is about that very one.
  const answer = db.prepare(
    "UPDATE advice SET next = ? WHERE session = ? AND next IS NULL AND (at < ? OR moment = 'before' OR kind = 'none')",
  )
  for (const one of body.commands) {
    const at = roundOrNull(one.at)
    const changes = insertRow(db, 'command', {
      id: one.id,
      record: seq,
      project: project ?? '',
      agent,
      session: one.session,
      author: one.author,
      at,
      heard,
      command: one.command,
      cwd: one.cwd,
      exit: one.exit,
      duration_ms: roundOrNull(one.durationMs),
      outcome: one.outcome,
      output: one.output,
      branch: one.branch,
      is_dirty: one.isDirty === null ? null : Number(one.isDirty),
      tools: JSON.stringify(one.tools),
      edited: JSON.stringify(one.edited),
      source: one.source,
      secrets: one.secrets,
    })
    if (changes > 0) answer.run(one.id, one.session, at ?? Number.MAX_SAFE_INTEGER)
  }
}

/** Removes commands from the records, too, and overwrites what is freed. */
const forget = (db: Database, { at, body: { commands: ids, isPrivate } }: LogRecord<'command.forgotten'>): void => {
  const find = db.prepare("SELECT record, project, agent, command, heard FROM command WHERE id = ? AND command <> ''")
  const rows = ids.map((id) => find.get(id)).filter((row) => row !== undefined)
  const gone = new Set(ids)
  for (const seq of new Set(rows.map(({ record }) => Number(record)))) {
    const found = db.prepare('SELECT body FROM record WHERE seq = ?').get(seq)
    if (found === undefined) continue
    const { commands } = JSON.parse(String(found.body)) as { commands: Command[] }
    const body = JSON.stringify({ commands: commands.map((one) => (gone.has(one.id) ? { ...one, ...blank } : one)) })
    db.prepare('UPDATE record SET body = ? WHERE seq = ?').run(body, seq)
  }
  const empty = db.prepare(
    "UPDATE command SET command = '', cwd = NULL, exit = NULL, duration_ms = NULL, outcome = 'unknown', output = NULL, branch = NULL, is_dirty = NULL, tools = '[]', edited = '[]', secrets = 0 WHERE id = ?",
  )
  for (const id of ids) empty.run(id)
  if (!isPrivate) return
  dropDamaged(db, at)
  // Decisions since then stay without their words: any of them may contain a part of such a command. In other projects
  // nobody was told of it: only predictions may contain it.
  const since = new Map<string, number>()
  for (const { project, heard } of rows)
    since.set(String(project), Math.min(Number(heard), since.get(String(project)) ?? Infinity))
  if (since.size > 0) blankAdvice(db, ['suggestions'], 'at >= ?', Math.min(...since.values()))
  for (const [project, time] of since) blankAdvice(db, ['text', 'about'], 'project = ? AND at >= ?', project, time)
  const agents = new Set(rows.map(({ agent }) => textOrNull(agent)).filter((agent) => agent !== null))
  for (const one of agents) {
    const commands = rows.filter(({ agent }) => agent === one).map(({ command }) => String(command))
    scrubRecords(db, one, commands)
  }
}

const blankWords = { text: 'NULL', about: 'NULL', suggestions: "'[]'" }

const blankAdvice = (
  db: Database,
  words: readonly (keyof typeof blankWords)[],
  where: string,
  ...values: SqlValue[]
): void => {
  const inRecord = words.map((word) => `'$.advice.${word}', json(${blankWords[word]})`)
  db.prepare(
    `UPDATE record SET body = json_set(body, ${inRecord.join(', ')}) WHERE seq IN (SELECT record FROM advice WHERE ${where})`,
  ).run(...values)
  const inTable = words.map((word) => `${word} = ${blankWords[word]}`)
  db.prepare(`UPDATE advice SET ${inTable.join(', ')} WHERE ${where}`).run(...values)
}

export interface CommandRow extends Command {
  /** The row number: the order in which commands came. */
  position: number
  project: string
  agent: string | null
  heardAt: number
}

const toCommand = (row: Row): CommandRow => ({
  position: Number(row.rowid),
  project: String(row.project),
  agent: textOrNull(row.agent),
  heardAt: Number(row.heard),
  id: String(row.id),
  command: String(row.command),
  at: numberOrNull(row.at),
  cwd: textOrNull(row.cwd),
  exit: numberOrNull(row.exit),
  durationMs: numberOrNull(row.duration_ms),
  outcome: String(row.outcome) as Command['outcome'],
  session: String(row.session),
  author: String(row.author),
  output: textOrNull(row.output),
  branch: textOrNull(row.branch),
  isDirty: row.is_dirty === null ? null : row.is_dirty === 1,
  tools: JSON.parse(String(row.tools)) as string[],
  edited: JSON.parse(String(row.edited)) as string[],
  source: String(row.source) as Command['source'],
  secrets: Number(row.secrets),
})

const numberOrNull = (value: SqlValue | undefined): number | null => (value == null ? null : Number(value))
const textOrNull = (value: SqlValue | undefined): string | null => (value == null ? null : String(value))
const firstCommand = (row: Row | undefined): CommandRow | null => (row === undefined ? null : toCommand(row))
const countOf = (row: Row | undefined, column: string): number => Number(row?.[column] ?? 0)

export const isKnownCommand = (db: Database, id: string): boolean =>
  db.prepare('SELECT 1 FROM command WHERE id = ?').get(id) !== undefined

/** Histories store the second in which a command began. */
const sameMs = 1_000

/**
 * Whether another source, a shell or another history, has reported this command of a person. A forgotten one is known by
 * its time alone.
 */
export const hasTwin = (db: Database, { id, command, at }: Pick<Command, 'id' | 'command' | 'at'>): boolean => {
  if (at === null) return false
  const [kind = ''] = /^cmd_[a-z]+_/.exec(id) ?? []
  return (
    db
      .prepare(
        `SELECT 1 FROM command WHERE coalesce(at, heard) BETWEEN ? AND ? AND at IS NOT NULL AND author = 'person'
         AND command IN (?, '') AND substr(id, 1, ?) <> ? LIMIT 1`,
      )
      .get(at - sameMs, at + sameMs, command, kind.length, kind) !== undefined
  )
}

/** Whether only its id is known. */
export const isBlank = (db: Database, id: string): boolean =>
  db.prepare("SELECT 1 FROM command WHERE id = ? AND command = ''").get(id) !== undefined

/** In the order in which they came, after a position; also those of which only the id is known. */
export const commandsAfter = (db: Database, position: number, limit: number): CommandRow[] =>
  db.prepare('SELECT * FROM command WHERE rowid > ? ORDER BY rowid LIMIT ?').all(position, limit).map(toCommand)

/** No conversation has more advice. */
const mostSaid = 200

/** The advice of a conversation, shown or held out, newest first. */
export const saidIn = (db: Database, session: string): Pick<Advice, 'kind' | 'text' | 'about'>[] =>
  db
    .prepare("SELECT kind, text, about FROM advice WHERE session = ? AND kind <> 'none' ORDER BY rowid DESC LIMIT ?")
    .all(session, mostSaid)
    .map((row) => ({
      kind: String(row.kind) as Advice['kind'],
      text: textOrNull(row.text),
      about: textOrNull(row.about),
    }))

/** The position of the newest command; rows are never removed, only emptied. */
export const lastPosition = (db: Database): number =>
  countOf(db.prepare('SELECT max(rowid) AS last FROM command').get(), 'last')

interface WantedHistory {
  project: string | null
  text: string
  exit: 'ok' | 'failed' | number | null
  author: string | null
  /** Ids of agents with the wanted name. */
  agents: readonly string[]
  since: number | null
  until: number | null
  limit: number
}

/** Newest first. */
export const searchCommands = (db: Database, wanted: WantedHistory): CommandRow[] => {
  const terms = ["command <> ''"]
  const values: SqlValue[] = []
  const where = (term: string, ...given: SqlValue[]): void => {
    terms.push(term)
    values.push(...given)
  }
  if (wanted.project !== null) where('project = ?', wanted.project)
  if (wanted.text !== '') where('instr(lower(command), lower(?)) > 0', wanted.text)
  if (wanted.exit === 'ok' || wanted.exit === 'failed') where('outcome = ?', wanted.exit)
  else if (wanted.exit !== null) where('exit = ?', wanted.exit)
  if (wanted.author === 'agents') where("author <> 'person'")
  else if (wanted.agents.length > 0) where(`agent IN (${wanted.agents.map(() => '?').join(', ')})`, ...wanted.agents)
  else if (wanted.author !== null) where('author = ?', wanted.author)
  if (wanted.since !== null) where('coalesce(at, heard) >= ?', wanted.since)
  if (wanted.until !== null) where('coalesce(at, heard) <= ?', wanted.until)
  const order = 'ORDER BY coalesce(at, heard) DESC, rowid DESC LIMIT ?'
  return db
    .prepare(`SELECT * FROM command WHERE ${terms.join(' AND ')} ${order}`)
    .all(...values, wanted.limit)
    .map(toCommand)
}

/** The stored texts of each command, newest first, before a position. */
export const keptTexts = (
  db: Database,
  wanted: { project: string | null; since: number | null; limit: number },
  before: number,
): (KeptTexts & { position: number; id: string; agent: string | null; command: string })[] =>
  db
    .prepare(
      `SELECT rowid, id, agent, command, output, cwd, branch, edited FROM command
       WHERE (? IS NULL OR project = ?) AND (? IS NULL OR coalesce(at, heard) >= ?) AND command <> '' AND rowid < ?
       ORDER BY rowid DESC LIMIT ?`,
    )
    .all(wanted.project, wanted.project, wanted.since, wanted.since, before, wanted.limit)
    .map(({ rowid, id, agent, command, output, cwd, branch, edited }) => ({
      position: Number(rowid),
      id: String(id),
      agent: textOrNull(agent),
      command: String(command),
      output: textOrNull(output),
      cwd: textOrNull(cwd),
      branch: textOrNull(branch),
      edited: (JSON.parse(String(edited)) as string[]).join('\n'),
    }))

/** Those that a person has run, in any project. */
export const runByPeople = (db: Database, commands: readonly string[]): Set<string> => {
  const find = db.prepare("SELECT 1 FROM command WHERE author = 'person' AND command = ? LIMIT 1")
  return new Set(commands.filter((command) => find.get(command) !== undefined))
}

/** The newest command here that failed. */
export const lastFailed = (db: Database, project: string): CommandRow | null =>
  firstCommand(
    db
      .prepare(
        "SELECT * FROM command WHERE project = ? AND outcome = 'failed' ORDER BY coalesce(at, heard) DESC, rowid DESC LIMIT 1",
      )
      .get(project),
  )

/** The newest command of a session. */
export const lastOf = (db: Database, session: string): CommandRow | null =>
  firstCommand(
    db.prepare("SELECT * FROM command WHERE session = ? AND command <> '' ORDER BY rowid DESC LIMIT 1").get(session),
  )

/** The newest session of an author here that has not ended: the default of requests without a session. */
export const lastSession = (db: Database, project: string, author: string): string | null => {
  const row = db
    .prepare(
      `SELECT session FROM command WHERE project = ? AND author = ?
       AND session NOT IN (SELECT id FROM shell_session WHERE ended IS NOT NULL) ORDER BY rowid DESC LIMIT 1`,
    )
    .get(project, author)
  return textOrNull(row?.session)
}

export const countsOf = (db: Database, project: string): { commands: number; sessions: number } => {
  const row = db
    .prepare(
      "SELECT count(*) AS commands, count(DISTINCT session) AS sessions FROM command WHERE project = ? AND command <> ''",
    )
    .get(project)
  return { commands: countOf(row, 'commands'), sessions: countOf(row, 'sessions') }
}

/** How many commands are not blank. */
export const keptCount = (db: Database): number =>
  countOf(db.prepare("SELECT count(*) AS count FROM command WHERE command <> ''").get(), 'count')

export const oldestKept = (db: Database, limit: number): string[] =>
  db
    .prepare("SELECT id FROM command WHERE command <> '' ORDER BY rowid LIMIT ?")
    .all(limit)
    .map(({ id }) => String(id))

interface AdviceRow extends Advice {
  position: number
  at: number
  project: string
  agent: string | null
  next: { command: string; outcome: Command['outcome'] } | null
}

interface WantedAdvice {
  project: string | null
  session: string | null
  isShown: boolean
  /** Oldest first after this position; without one the newest, newest first. */
  after: number | null
  limit: number
}

export const adviceRows = (db: Database, { project, session, isShown, after, limit }: WantedAdvice): AdviceRow[] =>
  db
    .prepare(
      `SELECT advice.*, command.command AS next_command, command.outcome AS next_outcome
       FROM advice LEFT JOIN command ON command.id = advice.next
       WHERE (? IS NULL OR advice.project = ?) AND (? IS NULL OR advice.session = ?) AND is_shown >= ? AND advice.rowid > ?
       ORDER BY advice.rowid ${after === null ? 'DESC' : 'ASC'} LIMIT ?`,
    )
    .all(project, project, session, session, Number(isShown), after ?? 0, limit)
    .map((row) => ({
      position: Number(row.rowid),
      at: Number(row.at),
      project: String(row.project),
      agent: textOrNull(row.agent),
      id: String(row.id),
      session: String(row.session),
      author: String(row.author),
      moment: String(row.moment) as Advice['moment'],
      kind: String(row.kind) as Advice['kind'],
      isShown: row.is_shown === 1,
      why: String(row.why),
      text: textOrNull(row.text),
      about: textOrNull(row.about),
      suggestions: JSON.parse(String(row.suggestions)) as Advice['suggestions'],
      next: row.next_command
        ? { command: String(row.next_command), outcome: String(row.next_outcome) as Command['outcome'] }
        : null,
    }))

export const memoryStore: StorePart = {
  migrations: [memoryTables, peopleIndex],
  projector: memoryProjector,
  json: { command: ['tools', 'edited'], advice: ['suggestions'] },
}
