import { stripVTControlCharacters } from 'node:util'
import type { AnyRecord } from '../../contract/record.ts'
import type { StoryKind, StoryMoment } from '../../contract/routes/story.ts'
import { foldMoments } from './story-fold.ts'

/** The most moments of a story; older ones are folded. */
const mostMoments = 1000
const textLimit = 300

/**
 * The beginning of a text on one line, with nothing that a terminal obeys.
 * Only as much of it is looked at as can matter: it may have megabytes.
 */
export const brief = (text: string, limit = textLimit): string => {
  const line = stripVTControlCharacters(text.slice(0, limit * 2))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const isWhole = line.length <= limit && text.length <= limit * 2
  // Half a character is none.
  return isWhole ? line : `${line.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

type StoryOutcome = NonNullable<StoryMoment['outcome']>

/** What became of a moment; mostly nobody has to be named. */
export const outcomeOf = (given: Pick<StoryOutcome, 'at' | 'text' | 'tone'> & Partial<StoryOutcome>): StoryOutcome => ({
  by: null,
  why: null,
  ...given,
})

export type NewMoment = Pick<StoryMoment, 'text'> & Partial<StoryMoment>

/** The moments of a story in the order of the log; never more than so many. */
export class Moments {
  readonly #since: number
  readonly #most: number
  #moments: StoryMoment[] = []
  foldedCount = 0

  constructor(since: number, most = mostMoments) {
    this.#since = since
    this.#most = most
  }

  /** Its outcome may come later; until then the teller may change the moment. */
  add(record: Pick<AnyRecord, 'id' | 'at'>, kind: StoryKind, given: NewMoment): StoryMoment {
    const { evidence = [], text, why = null, ...more } = given
    const moment: StoryMoment = {
      at: record.at,
      until: null,
      kind,
      agent: null,
      tone: 'plain',
      outcome: null,
      turn: null,
      count: 1,
      ...more,
      text: brief(text),
      why: why === null ? null : brief(why),
      evidence: [record.id, ...evidence.filter((id) => id !== record.id)],
    }
    if (!this.isBefore(moment.at)) {
      this.#moments.push(moment)
      if (this.#moments.length > this.#most * 2) this.#fold(this.#most)
    }
    return moment
  }

  isBefore(at: number): boolean {
    return at < this.#since
  }

  /** By time: what a transcript told late stands where it happened. */
  all(): StoryMoment[] {
    this.#fold(this.#most)
    return this.#moments.toSorted((one, other) => one.at - other.at)
  }

  #fold(most: number): void {
    const before = this.#moments.length
    this.#moments = foldMoments(this.#moments, most)
    this.foldedCount += before - this.#moments.length
  }
}
