import type { ShellLine } from '../../../base/shell/line.ts'
import { Attempts } from './attempts.ts'
import type { Fix, Lesson, Level } from './fix.ts'
import { fill } from './fix-fill.ts'
import { chanceOf } from './fix-score.ts'
import { type Case, fixId, FixTable, isSameCommand, type Outcome } from './fix-table.ts'
import { oneLine } from './plain.ts'
import { type ErrorSignature, signatureOf } from './signature.ts'

/** One command of this project, in the order in which they ended. */
export interface CommandRun {
  /** Conversation of an agent, or one shell of a person. */
  readonly session: string
  readonly command: string
  /** Unknown is null, never 0. */
  readonly exit: number | null
  readonly output?: string
  /** Whether files were changed since the command before, as far as that is known. */
  readonly edited?: boolean
}

interface LineReader {
  read(source: string): ShellLine
}

const VERSION = 1

export interface FixSnapshot {
  readonly version: typeof VERSION
  readonly step: number
  readonly cases: readonly (readonly [string, Case])[]
}

const MOST_SESSIONS = 256
const MOST_CASES = 3_000
const LONGEST_SHOWN = 300
const AFTER: Readonly<Record<Level, string>> = {
  error: 'after this error',
  command: 'after this command failed',
  program: 'after this program failed',
}

/** Learns from one project's commands which one made a failing one succeed later. */
export class FixMemory {
  readonly #lines: LineReader
  readonly #sessions = new Map<string, Attempts>()
  #table = new FixTable(MOST_CASES)
  #step = 0

  constructor(lines: LineReader) {
    this.#lines = lines
  }

  observe({ session, command, exit, output = '', edited = false }: CommandRun): void {
    this.#step += 1
    const attempts = this.#attemptsOf(session)
    if (edited) attempts.edited()
    const ran = { source: command, line: this.#lines.read(command) }
    if (exit === null) return this.#learn(attempts.ran(ran))
    if (exit === 0) return this.#learn(attempts.succeeded(ran))
    this.#learn(attempts.failed({ ...ran, signature: signatureOf({ command, exit, output }, ran.line) }))
  }

  /** What helped against this error here, or when this command failed otherwise, best first. */
  fixesFor(signature: ErrorSignature, line: ShellLine, limit = 3): readonly Fix[] {
    const cases = keysOf(signature, line).map(([level, key]) => ({ level, found: this.#table.get(key) }))
    const known = cases.flatMap(({ level, found }) => found?.outcomes.map((outcome) => ({ level, outcome })) ?? [])
    const narrowest = new Map(known.toReversed().map((each) => [fixId(each.outcome), each]))
    return [...narrowest.values()]
      .filter(({ level, outcome }) => outcome.worked > 0 && isTelling(level, outcome))
      .map(({ level, outcome }) => this.#fix(outcome, level, cases, line))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
  }

  snapshot(): FixSnapshot {
    return { version: VERSION, step: this.#step, cases: this.#table.entries() }
  }

  /** Throws if another version wrote it. */
  load({ version, step, cases }: FixSnapshot): void {
    if (version !== VERSION) throw new Error(`Fixes of version ${String(version)}.`)
    this.#step = step
    this.#table = new FixTable(MOST_CASES, cases)
  }

  #attemptsOf(session: string): Attempts {
    const attempts = this.#sessions.get(session) ?? new Attempts()
    this.#sessions.delete(session)
    this.#sessions.set(session, attempts)
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
    return attempts
  }

  #learn(lessons: readonly Lesson[]): void {
    for (const lesson of lessons) {
      const { signature, line } = lesson.failed
      for (const [, key] of keysOf(signature, line)) this.#table.learn(key, lesson, this.#step)
    }
  }

  #fix(outcome: Outcome, level: Level, cases: readonly { found: Case | undefined }[], line: ShellLine): Fix {
    const { kind, command, repeated, worked, tried } = outcome
    const same = isSameCommand(kind)
    const text = same ? line.text : fill(command, this.#lines.read(command).slots, repeated, line.slots)
    const template = same ? line.template : outcome.template
    const score = chanceOf(
      fixId(outcome),
      cases.map(({ found }) => found),
      this.#step,
    )
    const why = `worked ${worked} of ${tried} ${tried === 1 ? 'time' : 'times'} here ${AFTER[level]}`
    return { kind, command: oneLine(text, LONGEST_SHOWN), template, worked, tried, against: level, score, why }
  }
}

/** What helped another command of the same program hardly ever helps this one. */
const isTelling = (level: Level, { kind }: Outcome): boolean => level !== 'program' || isSameCommand(kind)

/** From the narrowest kind of failure to the widest. */
const keysOf = ({ key, stub }: ErrorSignature, { template }: ShellLine): readonly (readonly [Level, string])[] => [
  ['error', `e ${key}`],
  ['command', `c ${template}`],
  ['program', `p ${stub}`],
]
