import type { Command } from '../../../contract/command.ts'
import { person } from '../../../contract/outcome.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { signatureOf } from '../diagnose/signature.ts'
import type { Purpose } from './purposes.ts'
import type { Spelling } from './spelling.ts'

/** Runs by result; `piped`: the program that read their output succeeded; `open`: the result is unknown. */
export interface Tally {
  readonly ok: number
  readonly failed: number
  readonly piped: number
  readonly open: number
}

/** The last failure of a command, and since when it fails in the same way. */
interface Trouble {
  readonly key: string
  readonly error: string
  readonly exit: number | null
  readonly times: number
  readonly sessions: number
  readonly session: string
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** Everything known about one command of a project. */
export interface Entry {
  readonly text: string
  readonly taskKey: string | null
  readonly purpose: Purpose
  readonly head: string
  readonly rest: readonly string[]
  readonly people: Tally
  readonly agents: Tally
  /** Runs; older ones weigh less, those of people more than those of agents. */
  readonly weight: number
  readonly step: number
  readonly lastAt: number | null
  readonly trouble: Trouble | null
}

const halfLife = 2_000
/** People run what the project is about; agents try things. */
const personWeight = 2
const noRuns: Tally = { ok: 0, failed: 0, piped: 0, open: 0 }

export const newEntry = ({ text, task, taskKey, head, rest }: Spelling, step: number): Entry => ({
  text,
  taskKey,
  purpose: task?.purpose ?? 'other',
  head,
  rest,
  people: noRuns,
  agents: noRuns,
  weight: 0,
  step,
  lastAt: null,
  trouble: null,
})

export const weightAt = ({ weight, step }: Entry, now: number): number => weight * 2 ** ((step - now) / halfLife)

/** The entry after one more run. */
export const addRun = (entry: Entry, ending: keyof Tally, run: Command, line: ShellLine, step: number): Entry => {
  const { command, author, exit, output, session, at } = run
  const who = author === person ? 'people' : 'agents'
  let { trouble } = entry
  if (ending === 'failed') {
    const { key, line: error } = signatureOf({ command, exit, output: output ?? '' }, line)
    trouble =
      trouble?.key === key
        ? {
            ...trouble,
            times: trouble.times + 1,
            sessions: trouble.sessions + (trouble.session === session ? 0 : 1),
            session,
            lastAt: at ?? trouble.lastAt,
          }
        : { key, error, exit, times: 1, sessions: 1, session, firstAt: at, lastAt: at }
  }
  return {
    ...entry,
    [who]: { ...entry[who], [ending]: entry[who][ending] + 1 },
    weight: weightAt(entry, step) + (author === person ? personWeight : 1),
    step,
    lastAt: at ?? entry.lastAt,
    trouble,
  }
}

/** Runs of people and agents together. */
export const sumRuns = ({ people, agents }: Pick<Entry, 'people' | 'agents'>): Tally => ({
  ok: people.ok + agents.ok,
  failed: people.failed + agents.failed,
  piped: people.piped + agents.piped,
  open: people.open + agents.open,
})

/** The runs with a known result, or all if there is none. */
export const shownRuns = (entry: Pick<Entry, 'people' | 'agents'>): { runs: number; ok: number } => {
  const { ok, failed, piped, open } = sumRuns(entry)
  return ok + failed > 0 ? { runs: ok + failed, ok } : { runs: piped + open, ok: piped }
}

/** How many of the least recently run entries are compared when one has to go. */
const mostCompared = 16

/** A bounded number of commands; of the least recently run ones, the one with the lowest weight goes first. */
export class EntryTable {
  readonly #capacity: number
  readonly #entries: Map<string, Entry>

  constructor(capacity: number, entries: readonly Entry[] = []) {
    this.#capacity = capacity
    this.#entries = new Map(entries.map((entry) => [entry.text, entry]))
  }

  get(text: string): Entry | undefined {
    return this.#entries.get(text)
  }

  /** Makes it the most recent entry. Returns the one that had to go. */
  set(entry: Entry): Entry | undefined {
    this.#entries.delete(entry.text)
    this.#entries.set(entry.text, entry)
    if (this.#entries.size <= this.#capacity) return undefined
    const oldest = this.all().slice(0, mostCompared)
    const weakest = oldest.reduce((a, b) => (weightAt(b, entry.step) < weightAt(a, entry.step) ? b : a))
    this.#entries.delete(weakest.text)
    return weakest
  }

  all(): readonly Entry[] {
    return [...this.#entries.values()]
  }
}
