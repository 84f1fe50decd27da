import type { Choice } from './choose.ts'
import type { Lexicon } from './lexicon.ts'
import type { TextCandidate } from './text-features.ts'

/** What a line that begins as typed is worth, newest first, beside its probability: here, and elsewhere. */
const FRESH = 0.02
const FRESH_ELSEWHERE = 0.0002
/** What somebody types who means none of all these. */
const UNKNOWN = 0.02
/** A line that was never run is shown only if it is as likely as this. */
const LEAST_FILLED = 0.03

/** A line that begins as typed. */
export interface Completion {
  readonly source: string
  /** 0 for a line that was never run. */
  readonly number: number
  readonly score: number
}

interface Found {
  readonly number: number
  worth: number
}

/** Collects the lines that begin as typed, likeliest first. */
export class Completions {
  readonly #prefix: string
  readonly #lexicon: Lexicon
  readonly #found = new Map<string, Found>()

  constructor(prefix: string, lexicon: Lexicon) {
    this.#prefix = prefix
    this.#lexicon = lexicon
  }

  get size(): number {
    return this.#found.size
  }

  /** Of lines that were never run only the plausible ones. */
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
        this.#add(source, number, (own ? FRESH : FRESH_ELSEWHERE) / rank++)
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
    const sum = sorted.reduce((total, [, { worth }]) => total + worth, UNKNOWN)
    return sorted
      .map(([source, { number, worth }]) => ({ source, number, score: worth / sum }))
      .filter(({ number, score }) => number !== 0 || score >= LEAST_FILLED)
      .slice(0, limit)
  }
}
