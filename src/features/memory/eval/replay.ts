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

const eventOf = (row: HistoryRow, time: number): CommandEvent => ({
  project: groupOf(row),
  session: row.session,
  agent: row.agent ?? person,
  cwd: row.cwd ?? '',
  time,
  tools: row.since ?? [],
  edited: row.edited ?? [],
  command: row.cmd,
  exit: row.exit ?? null,
  ...(typeof row.err === 'string' && { error: row.err }),
})

/** An agent chooses its directory with the command; a person is in it already. */
function momentOf({ command: _command, exit: _exit, error: _error, ...moment }: CommandEvent, cwd: string): Moment {
  return moment.agent === person ? moment : { ...moment, cwd }
}

export interface Turn {
  readonly row: HistoryRow
  /** What is known before the command. */
  readonly moment: Moment
  readonly event: CommandEvent
}

export function* turns(rows: readonly HistoryRow[]): Generator<Turn> {
  const directories = new Map<string, string>()
  for (const [index, row] of rows.entries()) {
    const event = eventOf(row, index)
    yield { row, event, moment: momentOf(event, directories.get(row.session) ?? '') }
    directories.set(row.session, event.cwd)
  }
}
