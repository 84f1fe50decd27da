import { type Command } from '../../../contract/command.ts'
import { person } from '../../../contract/outcome.ts'
import type { ShellLine } from '../../../base/shell/line.ts'
import { signatureOf } from '../diagnose/signature.ts'
import type { Purpose } from './purposes.ts'
import type { Spelling } from './spelling.ts'

/** How runs ended; `piped`: well, as far as the program says that their output went into; `open`: nobody knows. */
export interface Tally {
  readonly ok: number
  readonly failed: number
  readonly piped: number
  readonly open: number
}

/** How a command failed last, and since when it does so in the same way. */
export interface Trouble {
  readonly key: string
  readonly error: string
  readonly exit: number | null
  readonly times: number
  readonly sessions: number
  readonly session: string
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** All that is known of one command of a project. */
export interface Entry {
  readonly text: string
  readonly taskKey: string | null
  readonly purpose: Purpose
  readonly head: string
  readonly rest: readonly string[]
  readonly people: Tally
  readonly agents: Tally
  /** Runs, the older the less, those of people more than those of agents. */
  readonly weight: number
  readonly step: number
  readonly lastAt: number | null
  readonly trouble: Trouble | null
}

export type Ending = keyof Tally

const HALF_LIFE = 2_000
/** What a person runs is what the project is about; agents try things. */
const PERSON_COUNTS = 2
const NONE: Tally = { ok: 0, failed: 0, piped: 0, open: 0 }

export const newEntry = ({ text, task, taskKey, head, rest }: Spelling, step: number): Entry => ({
  text,
  taskKey,
  purpose: task?.purpose ?? 'other',
  head,
  rest,
  people: NONE,
  agents: NONE,
  weight: 0,
  step,
  lastAt: null,
  trouble: null,
})

export const weightAt = ({ weight, step }: Entry, now: number): number => weight * 2 ** ((step - now) / HALF_LIFE)

/** The entry after one more run. */
export function afterRun(entry: Entry, ending: Ending, command: Command, line: ShellLine, step: number): Entry {
  const isPerson = command.author === person
  const who = isPerson ? 'people' : 'agents'
  return {
    ...entry,
    [who]: { ...entry[who], [ending]: entry[who][ending] + 1 },
    weight: weightAt(entry, step) + (isPerson ? PERSON_COUNTS : 1),
    step,
    lastAt: command.at ?? entry.lastAt,
    trouble: ending === 'failed' ? troubleAfter(entry.trouble, command, line) : entry.trouble,
  }
}

function troubleAfter(
  before: Trouble | null,
  { command, exit, output, session, at }: Command,
  line: ShellLine,
): Trouble {
  const { key, line: error } = signatureOf({ command, exit, output: output ?? '' }, line)
  if (before === null || before.key !== key)
    return { key, error, exit, times: 1, sessions: 1, session, firstAt: at, lastAt: at }
  const sessions = before.sessions + (before.session === session ? 0 : 1)
  return { ...before, times: before.times + 1, sessions, session, lastAt: at ?? before.lastAt }
}

/** Of people and agents together. */
export const total = ({ people, agents }: Pick<Entry, 'people' | 'agents'>): Tally => ({
  ok: people.ok + agents.ok,
  failed: people.failed + agents.failed,
  piped: people.piped + agents.piped,
  open: people.open + agents.open,
})

/** Runs that ended well for all that is known. */
export const wellEnded = (entry: Pick<Entry, 'people' | 'agents'>): number => {
  const { ok, piped } = total(entry)
  return ok + piped
}

/** What can honestly be said: of those whose end is known, or else of all. */
export const shownRuns = (entry: Pick<Entry, 'people' | 'agents'>): { runs: number; ok: number } => {
  const { ok, failed, piped, open } = total(entry)
  return ok + failed > 0 ? { runs: ok + failed, ok } : { runs: piped + open, ok: piped }
}
