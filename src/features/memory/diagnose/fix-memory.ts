import type { ShellLine } from '../../../base/shell/line.ts'
import { BoundedMap } from '../../../base/util/bounded-map.ts'
import { Attempts } from './attempts.ts'
import { type Fix, isSameCommand, type Lesson, type Level } from './fix.ts'
import { addLesson, type Case, estimateChance, fixId } from './fix-table.ts'
import { oneLine } from './plain.ts'
import { type ErrorSignature, signatureOf } from './signature.ts'

/** One command of this project, in the order in which they ended. */
interface CommandRun {
  /** Conversation of an agent, or one shell of a person. */
  readonly session: string
  readonly command: string
  /** Unknown is null, never 0. */
  readonly exit: number | null
  readonly output?: string
  /** Whether files were changed since the previous command, as far as that is known. */
  readonly edited?: boolean
}

interface LineReader {
  read(source: string): ShellLine
}

const snapshotVersion = 1

export interface FixSnapshot {
  readonly version: typeof snapshotVersion
  readonly step: number
  readonly cases: readonly (readonly [string, Case])[]
}

const mostSessions = 256
const mostCases = 3_000
const longestShown = 300
const afterWhat: Readonly<Record<Level, string>> = {
  error: 'after this error',
  command: 'after this command failed',
  program: 'after this program failed',
}

/** Learns from one project's commands which ones made a failing command succeed later. */
export class FixMemory {
  readonly #lines: LineReader
  readonly #sessions = new BoundedMap<string, Attempts>(mostSessions)
  readonly #cases = new BoundedMap<string, Case>(mostCases)
  #step = 0

  constructor(lines: LineReader) {
    this.#lines = lines
  }

  observe({ session, command, exit, output = '', edited = false }: CommandRun): void {
    this.#step += 1
    const attempts = this.#sessions.get(session) ?? new Attempts()
    this.#sessions.set(session, attempts)
    if (edited) attempts.edited()
    const ran = { source: command, line: this.#lines.read(command) }
    if (exit === null) return this.#learn(attempts.ran(ran))
    if (exit === 0) return this.#learn(attempts.succeeded(ran))
    this.#learn(attempts.failed({ ...ran, signature: signatureOf({ command, exit, output }, ran.line) }))
  }

  /** The fixes for this error, or for other failures of this command, best first. */
  fixesFor(signature: ErrorSignature, line: ShellLine, limit = 3): readonly Fix[] {
    const cases = levelKeys(signature, line).map(([level, key]) => ({ level, found: this.#cases.get(key) }))
    const known = cases.flatMap(({ level, found }) => found?.outcomes.map((outcome) => ({ level, outcome })) ?? [])
    const narrowest = new Map(known.toReversed().map((each) => [fixId(each.outcome), each]))
    return [...narrowest]
      .flatMap(([id, { level, outcome }]): Fix[] => {
        const { kind, command, repeated, worked, tried } = outcome
        const isSame = isSameCommand(kind)
        // A fix for another command of the same program hardly ever helps this one.
        if (worked === 0 || (level === 'program' && !isSame)) return []
        const text = isSame ? line.text : this.#fillSlots(command, repeated, line)
        const score = estimateChance(
          id,
          cases.map(({ found }) => found),
          this.#step,
        )
        return [
          {
            kind,
            command: oneLine(text, longestShown),
            template: isSame ? line.template : outcome.template,
            worked,
            tried,
            against: level,
            score,
            why: `worked ${worked} of ${tried} ${tried === 1 ? 'time' : 'times'} here ${afterWhat[level]}`,
          },
        ]
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
  }

  snapshot(): FixSnapshot {
    return { version: snapshotVersion, step: this.#step, cases: [...this.#cases] }
  }

  /** Throws if another version wrote it. */
  load({ version, step, cases }: FixSnapshot): void {
    if (version !== snapshotVersion) throw new Error(`Fixes of version ${String(version)}.`)
    this.#step = step
    this.#cases.clear()
    for (const [key, found] of cases) this.#cases.set(key, found)
  }

  #learn(lessons: readonly Lesson[]): void {
    for (const lesson of lessons) {
      const { signature, line } = lesson.failed
      for (const [, key] of levelKeys(signature, line)) {
        const known = this.#cases.get(key) ?? { weight: 0, at: this.#step, outcomes: [] }
        this.#cases.set(key, addLesson(known, lesson, this.#step))
      }
    }
  }

  /** The fix with the changing words of the command that failed now. */
  #fillSlots(command: string, repeated: readonly number[], failed: ShellLine): string {
    let text = command
    for (const [index, slot] of [...this.#lines.read(command).slots.entries()].toReversed()) {
      const value = failed.slots[repeated[index] ?? -1]
      if (value === undefined || value.kind !== slot.kind) continue
      text = text.slice(0, slot.pos) + value.text + text.slice(slot.pos + slot.text.length)
    }
    return text
  }
}

/** From the narrowest kind of failure to the widest. */
const levelKeys = ({ key, stub }: ErrorSignature, { template }: ShellLine): readonly (readonly [Level, string])[] => [
  ['error', `e ${key}`],
  ['command', `c ${template}`],
  ['program', `p ${stub}`],
]
