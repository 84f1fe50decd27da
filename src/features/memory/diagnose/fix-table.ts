import { isDestructive } from './destructive.ts'
import type { Attempt, FixKind, Lesson } from './fix.ts'
import { repeatedSlots } from './fix-fill.ts'

/** What became of one fix after one kind of failure. */
export interface Outcome {
  readonly kind: FixKind
  readonly template: string
  /** As it was last run; empty for the failed command itself. */
  readonly command: string
  /** For each changing word of the command: which one of the failed command it repeats, or -1. */
  readonly repeated: readonly number[]
  readonly worked: number
  readonly tried: number
  /** Successes, the older the less. */
  readonly weight: number
  readonly at: number
}

/** One kind of failure: an error, a command or a program. */
export interface Case {
  /** How often something was done about it, the older the less. */
  readonly weight: number
  readonly at: number
  readonly outcomes: readonly Outcome[]
}

const HALF_LIFE = 3_000
const MOST_OUTCOMES = 12
const LONGEST_COMMAND = 300

/** The command that failed, once more. */
export const isSameCommand = (kind: FixKind): boolean => kind === 'edit' || kind === 'again'

/** Two outcomes are of the same fix: the same command, or a line of the same shape. */
export const fixId = ({ kind, template }: Pick<Outcome, 'kind' | 'template'>): string =>
  isSameCommand(kind) ? kind : `${kind} ${template}`

export const faded = (weight: number, since: number): number => weight * 2 ** (-since / HALF_LIFE)

/** Counts for each kind of failure what was done about it; the kinds not met for longest are forgotten first. */
export class FixTable {
  readonly #capacity: number
  readonly #cases: Map<string, Case>

  constructor(capacity: number, cases: Iterable<readonly [string, Case]> = []) {
    this.#capacity = capacity
    this.#cases = new Map(cases)
  }

  get(key: string): Case | undefined {
    return this.#cases.get(key)
  }

  entries(): [string, Case][] {
    return [...this.#cases]
  }

  learn(key: string, lesson: Lesson, at: number): void {
    const known = this.#cases.get(key) ?? { weight: 0, at, outcomes: [] }
    const outcomes = lesson.attempts.reduce((list, attempt) => counted(list, attempt, lesson, at), known.outcomes)
    this.#cases.delete(key)
    this.#cases.set(key, { weight: faded(known.weight, at - known.at) + 1, at, outcomes })
    for (const oldest of this.#cases.keys()) {
      if (this.#cases.size <= this.#capacity) break
      this.#cases.delete(oldest)
    }
  }
}

function counted(list: readonly Outcome[], attempt: Attempt, lesson: Lesson, at: number): readonly Outcome[] {
  const { kind, ran } = attempt
  if (!isSameCommand(kind) && !mayBeOffered(ran.source)) return list
  const id = fixId({ kind, template: ran.line.template })
  const known = list.find((each) => fixId(each) === id)
  const success = lesson.worked ? 1 : 0
  const next: Outcome = {
    kind,
    template: ran.line.template,
    command: isSameCommand(kind) ? '' : ran.source,
    repeated: isSameCommand(kind) ? [] : repeatedSlots(lesson.failed, ran),
    worked: (known?.worked ?? 0) + success,
    tried: (known?.tried ?? 0) + 1,
    weight: faded(known?.weight ?? 0, at - (known?.at ?? at)) + success,
    at,
  }
  return strongest([...list.filter((each) => each !== known), next], at)
}

/** One line that is short enough to be shown whole, and does no harm. */
const mayBeOffered = (command: string): boolean =>
  command.length <= LONGEST_COMMAND && !command.includes('\n') && !isDestructive(command)

const strongest = (list: readonly Outcome[], at: number): readonly Outcome[] => {
  if (list.length <= MOST_OUTCOMES) return list
  const weakest = list.reduce((a, b) => (faded(b.weight, at - b.at) < faded(a.weight, at - a.at) ? b : a))
  return list.filter((each) => each !== weakest)
}
