import { person } from '../../../contract/outcome.ts'
import type { CommandEvent, Moment } from '../predict/event.ts'

/** One line of a history file. */
export interface HistoryRow {
  readonly project?: string
  readonly user?: string
  readonly session: string
  readonly seq: number
  readonly cmd: string
  readonly cwd?: string | null
  readonly exit?: number | null
  readonly agent?: string | null
  readonly ts?: string | null
  readonly err?: string | null
  readonly since?: readonly string[]
  readonly edited?: readonly string[]
}

export const groupOf = (row: HistoryRow): string => row.project ?? row.user ?? ''

/** One group after the other, by time inside a group where there is one. */
export const inReplayOrder = (rows: readonly HistoryRow[]): HistoryRow[] =>
  groupsOf(rows).flatMap((group) =>
    typeof group[0]?.ts === 'string' ? group.toSorted((a, b) => compare(a.ts ?? '', b.ts ?? '')) : group,
  )

export function groupsOf(rows: readonly HistoryRow[]): HistoryRow[][] {
  const groups = new Map<string, HistoryRow[]>()
  for (const row of rows) {
    const group = groups.get(groupOf(row))
    if (group === undefined) groups.set(groupOf(row), [row])
    else group.push(row)
  }
  return [...groups.values()]
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface Turn {
  readonly row: HistoryRow
  /** What is known before the command. */
  readonly moment: Moment
  readonly event: CommandEvent
}

export function* turns(rows: readonly HistoryRow[]): Generator<Turn> {
  const directories = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const moment = {
      project: groupOf(row),
      session: row.session,
      agent: row.agent ?? person,
      cwd: row.cwd ?? '',
      time: index,
      tools: row.since ?? [],
      edited: row.edited ?? [],
    }
    const event = {
      ...moment,
      command: row.cmd,
      exit: row.exit ?? null,
      ...(typeof row.err === 'string' && { error: row.err }),
    }
    // An agent chooses its directory with the command; a person is in it already.
    const cwd = moment.agent === person ? moment.cwd : (directories.get(row.session) ?? '')
    yield { row, event, moment: { ...moment, cwd } }
    directories.set(row.session, event.cwd)
  }
}
