import type { ShellLine } from '../../../base/shell/line.ts'
import type { Choice } from './candidates.ts'
import type { Lexicon } from './lexicon.ts'
import type { TextCandidate } from './text-stage.ts'
import type { Trail } from './trail.ts'

/** The worth of the newest line that begins as typed, in addition to its probability: here, and elsewhere. */
const freshHere = 0.02
const freshElsewhere = 0.0002
/** The worth of all lines that are not known. */
const unknownWorth = 0.02
/** A line that was never run is shown only above this probability. */
const leastFilled = 0.03

/** A line that begins as typed. */
interface Completion {
  readonly source: string
  /** 0 for a line that was never run. */
  readonly number: number
  readonly score: number
}

/** Collects the lines that begin as typed, likeliest first. */
export class Completions {
  readonly #prefix: string
  readonly #lexicon: Lexicon
  readonly #found = new Map<string, { readonly number: number; worth: number }>()

  constructor(prefix: string, lexicon: Lexicon) {
    this.#prefix = prefix
    this.#lexicon = lexicon
  }

  get size(): number {
    return this.#found.size
  }

  /** Adds known lines, and those that were never run if they are plausible. */
  addLikely(choices: readonly Choice[], isPlausible: (candidate: TextCandidate) => boolean): void {
    for (const { candidate, likely } of choices)
      if (this.#begins(candidate.source) && (candidate.number !== 0 || isPlausible(candidate)))
        this.#add(candidate.source, candidate.number, likely)
  }

  addRecent(lines: Iterable<number>, own: boolean): void {
    let rank = 1
    for (const number of lines) {
      const source = this.#lexicon.texts.value(number)?.source
      if (source !== undefined && this.#begins(source))
        this.#add(source, number, (own ? freshHere : freshElsewhere) / rank++)
    }
  }

  #begins(source: string): boolean {
    return source.length > this.#prefix.length && source.startsWith(this.#prefix)
  }

  #add(source: string, number: number, worth: number): void {
    const known = this.#found.get(source)
    if (known === undefined) this.#found.set(source, { number, worth })
    else known.worth += worth
  }

  best(limit: number): Completion[] {
    const sorted = [...this.#found].toSorted(([, a], [, b]) => b.worth - a.worth)
    const sum = sorted.reduce((total, [, { worth }]) => total + worth, unknownWorth)
    return sorted
      .map(([source, { number, worth }]) => ({ source, number, score: worth / sum }))
      .filter(({ number, score }) => number !== 0 || score >= leastFilled)
      .slice(0, limit)
  }
}

/**
 * Whether a line that was never run makes sense: each changing word stood in the same place of a `known` line of its
 * shape, or is a path of this session.
 */
export const isPlausible = (line: ShellLine, known: readonly ShellLine[], trail: Trail): boolean =>
  line.slots.every(
    ({ kind, text }, place) =>
      known.some(({ slots }) => slots[place]?.text === text) ||
      (kind === 'path' && trail.words.get(text)?.kind === 'path'),
  ) &&
  (!repeatsWord(line) || known.some(repeatsWord))

const repeatsWord = ({ slots }: ShellLine): boolean => new Set(slots.map(({ text }) => text)).size < slots.length
