import { outcomeOf } from '../src/contract/outcome.ts'
import type { Loop } from '../src/contract/loop.ts'
import { type Call, callOf, type Step, stepOf, type Toolbox } from '../src/features/loops/step.ts'
import { Track } from '../src/features/loops/track.ts'

/** A command of a history, as far as loops are concerned. */
export interface PastCommand {
  project?: string | undefined
  session: string
  cmd: string
  cwd?: string | null | undefined
  exit?: number | null | undefined
  ts?: string | null | undefined
  /** How the output of a failed one begins. */
  err?: string | null | undefined
  /** Names of the other tools that were used since the command before it. */
  since?: readonly string[] | undefined
  edited?: readonly string[] | undefined
}

export interface PastNote {
  session: string
  command: string
  loop: Loop
}

export interface Replayed {
  sessions: number
  turns: number
  commands: number
  notes: PastNote[]
}

/** After so long without a command it is another turn. */
const turnMs = 5 * 60_000

/** A history has commands alone. */
const commands: Toolbox = {
  shell: { call: (_, { command, cwd }) => asCall(command, cwd) },
  tools: { own: {}, told: {}, mcp: null },
}
const asCall = (command: unknown, cwd: unknown) => ({ command: String(command), cwd: String(cwd) })

/**
 * Which notes a history would have led to. What it does not tell is taken as it makes more of them: that a success printed
 * the same as the last, and that no command has changed a file where edits have a tool of their own.
 */
export const replay = (rows: readonly PastCommand[], note: number): Replayed => {
  const sessions = sessionsOf(rows)
  const replayed = [...sessions.values()].map((session) => replaySession(session, note))
  return {
    sessions: sessions.size,
    turns: replayed.reduce((sum, { turns }) => sum + turns, 0),
    commands: rows.length,
    notes: replayed.flatMap(({ notes }) => notes),
  }
}

const sessionsOf = (rows: readonly PastCommand[]): Map<string, PastCommand[]> => {
  const sessions = new Map<string, PastCommand[]>()
  for (const row of rows) {
    const key = `${row.project ?? ''} ${row.session}`
    sessions.set(key, sessions.get(key) ?? [])
    sessions.get(key)?.push(row)
  }
  return sessions
}

const replaySession = (rows: readonly PastCommand[], note: number): Pick<Replayed, 'turns' | 'notes'> => {
  const track = new Track()
  const notes: PastNote[] = []
  const hasEditTool = rows.some(({ edited = [] }) => edited.length > 0)
  let turns = 0
  let [trees, others, last] = [0, 0, 0]
  if (hasEditTool) track.tree('0')
  for (const row of rows) {
    const at = Date.parse(row.ts ?? '') || last
    if (turns === 0 || at - last >= turnMs) track.prompt(`${++turns}`, true)
    last = at
    for (const tool of row.since ?? []) track.done(other(tool, ++others, at))
    if (hasEditTool && (row.edited ?? []).length > 0) track.tree(`${++trees}`)
    track.done(stepFor(row, at))
    const found = track.loop()
    if (found === null || found.loop.count < note || track.isNoted(found)) continue
    track.noted(found)
    notes.push({ session: row.session, command: row.cmd, loop: found.loop })
  }
  return { turns, notes }
}

const stepFor = ({ cmd, cwd, exit = null, err }: PastCommand, at: number): Step => {
  const call = callOf(commands, { id: null, name: 'shell', input: { command: cmd, cwd: cwd ?? '' } }, '')
  return stepOf(call, { outcome: outcomeOf(exit), exit, durationMs: null, output: err ?? '' }, null, at)
}

/** What it was given is not told: each is another call. */
const other = (tool: string, number: number, at: number): Step => {
  const call: Call = { key: `${tool} ${number}`, what: tool, edit: null, mayChange: false, isWait: false }
  return { ...call, result: '', shown: '', isFailed: false, at }
}
