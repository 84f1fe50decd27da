import type { AdviceKind } from '../../../contract/command.ts'
import type { Outcome } from '../../../contract/outcome.ts'
import type { Database, SqlValue } from '../../../base/store/sqlite.ts'
import type { RanCommand } from './conduct.ts'

/** Rows of a table from one to another, both included. */
export interface Range {
  first: number
  last: number
}

/** The rows of a period. Rows at its edges may be out of order by as much as the clock was set back. */
const findRange = (db: Database, table: string, column: string, from: number, before: number): Range => {
  const find = db.prepare(`SELECT rowid FROM ${table} WHERE ${column} >= ? ORDER BY ${column}, rowid LIMIT 1`)
  const findFirst = (time: number): number => Number(find.get(time)?.rowid ?? Number.MAX_SAFE_INTEGER)
  return { first: findFirst(from), last: findFirst(before) - 1 }
}

export const commandsHeard = (db: Database, from: number, before: number): Range =>
  findRange(db, 'command', 'heard', from, before)

export const adviceGiven = (db: Database, from: number, before: number): Range =>
  findRange(db, 'advice', 'at', from, before)

interface CommandFacts extends Omit<RanCommand, 'text' | 'isWrongTool'> {
  position: number
  agent: string | null
  command: string
  at: number
  secrets: number
}

/** The first commands of a range, of one project or of all. */
export const commandFacts = (
  db: Database,
  project: string | null,
  { first, last }: Range,
  limit: number,
): CommandFacts[] =>
  db
    .prepare(
      `SELECT rowid, author, agent, session, command, coalesce(at, heard) AS at, outcome, duration_ms,
         coalesce(length(output), 0) AS output_chars, edited <> '[]' AS has_edits, secrets
       FROM command WHERE ${project === null ? '' : 'project = ? AND'} rowid BETWEEN ? AND ? AND command <> '' ORDER BY rowid LIMIT ?`,
    )
    .all(...inProject(project), first, last, limit)
    .map((row) => ({
      position: Number(row.rowid),
      author: String(row.author),
      agent: row.agent == null ? null : String(row.agent),
      session: String(row.session),
      command: String(row.command),
      at: Number(row.at),
      outcome: String(row.outcome) as Outcome,
      durationMs: row.duration_ms === null ? null : Number(row.duration_ms),
      outputChars: Number(row.output_chars),
      isAfterEdit: row.has_edits === 1,
      secrets: Number(row.secrets),
    }))

const inProject = (project: string | null): SqlValue[] => (project === null ? [] : [project])

export interface AdviceFacts {
  position: number
  session: string
  kind: AdviceKind
  isShown: boolean
  why: string
  /** These only of shown advice. */
  text: string
  about: string
  next: { command: string; outcome: Outcome } | null
}

/** The first decisions of a range, of one project or of all. */
export const adviceFacts = (
  db: Database,
  project: string | null,
  { first, last }: Range,
  limit: number,
): AdviceFacts[] =>
  db
    .prepare(
      `SELECT advice.rowid, advice.session, kind, is_shown, why,
         CASE WHEN is_shown = 1 THEN text END AS text, CASE WHEN is_shown = 1 THEN about END AS about,
         command.command AS next_command, command.outcome AS next_outcome
       FROM advice LEFT JOIN command ON command.id = CASE WHEN is_shown = 1 THEN advice.next END
       WHERE ${project === null ? '' : 'advice.project = ? AND'} advice.rowid BETWEEN ? AND ? ORDER BY advice.rowid LIMIT ?`,
    )
    .all(...inProject(project), first, last, limit)
    .map((row) => ({
      position: Number(row.rowid),
      session: String(row.session),
      kind: String(row.kind) as AdviceKind,
      isShown: row.is_shown === 1,
      why: String(row.why),
      text: String(row.text ?? ''),
      about: String(row.about ?? ''),
      next:
        row.next_command === null
          ? null
          : { command: String(row.next_command), outcome: String(row.next_outcome) as Outcome },
    }))

/** The time of the first shown advice, in each project that has one. */
export const firstShown = (db: Database, wanted: string | null): { project: string; at: number }[] => {
  const first = db.prepare('SELECT at FROM advice WHERE project = ? AND is_shown = 1 ORDER BY rowid LIMIT 1')
  const next = db.prepare('SELECT min(project) AS project FROM advice WHERE is_shown = 1 AND project > ?')
  const projects = wanted === null ? [] : [wanted]
  // From one to the next in the index: projects are few, and each may have a million decisions.
  if (wanted === null)
    for (let project = next.get('')?.project; project != null; project = next.get(project)?.project)
      projects.push(String(project))
  return projects.flatMap((project) => first.all(project).map(({ at }) => ({ project, at: Number(at) })))
}
