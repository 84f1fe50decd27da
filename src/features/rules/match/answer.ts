import type { TextTarget } from '../../../contract/rule.ts'
import type { ShellReading } from '../../../base/shell/reading.ts'
import type { Rest } from '../../../base/util/rest.ts'
import type { Place, Subject, World } from '../types.ts'

export interface Fit {
  kind: 'fit'
  captures: Readonly<Record<string, string>>
  places: readonly Place[]
  /** How to avoid the match, where the rule itself cannot know. */
  advice?: string
  /** The spans of the commands that fit: a rewrite changes nothing else. */
  spans?: readonly Span[]
}

export interface Span {
  start: number
  end: number
}

/** It is unknown whether the call fits. */
export interface Doubt {
  kind: 'doubt'
  why: string
  /** How to make the call readable. */
  advice: string
  /** A block stays a block, although only a guard's doubt usually does. */
  isClosed: boolean
}

/** Null: it does not fit. */
export type Answer = Fit | Doubt | null

/** A text of a subject, or a part of one. */
export interface LookText {
  target: string
  /** Null: unknown. */
  text: string | null
  /** The text that it is a part of, and where in it; places are told by this one. */
  whole: string
  start: number
}

/** One subject as matchers see it; what was worked out once is there for all rules. */
export interface Look {
  subject: Subject
  world: World
  /** The text, if it is known without waiting; else undefined. */
  textNow(target: TextTarget | null): string | undefined
  /** Null: a subject of this kind has no such text. */
  text(target: TextTarget | null): Promise<LookText | null>
  /** The reading of its text as a shell line. */
  reading(): Promise<ShellReading | null>
  /** The same as far as it was asked for; undefined where it was not. */
  readingNow(): ShellReading | null | undefined
  /** Others have their turn between two long pieces of work. */
  rest: Rest
}

export type Check = (look: Look) => Answer | Promise<Answer>
export type QuickCheck = (look: Look) => boolean

export const plainFit: Fit = { kind: 'fit', captures: {}, places: [] }

/** What surely does not fit ends it; a doubt remains one only if all others fit. */
export const allOf =
  (checks: readonly Check[]): Check =>
  async (look) => {
    const fits: Fit[] = []
    let doubt: Doubt | null = null
    for (const check of checks) {
      const answer = await check(look)
      if (answer === null) return null
      if (answer.kind === 'fit') fits.push(answer)
      else doubt ??= answer
    }
    if (doubt !== null) return doubt
    const spans = fits.flatMap((fit) => fit.spans ?? [])
    const told = fits.flatMap(({ advice }) => advice ?? [])
    return {
      kind: 'fit',
      captures: Object.assign({}, ...fits.map(({ captures }) => captures)) as Record<string, string>,
      places: fits.flatMap(({ places }) => places),
      ...(spans.length === 0 ? {} : { spans }),
      ...(told.length === 0 ? {} : { advice: told.join('\n') }),
    }
  }

export const anyOf =
  (checks: readonly Check[]): Check =>
  async (look) => {
    let doubt: Doubt | null = null
    for (const check of checks) {
      const answer = await check(look)
      if (answer?.kind === 'fit') return answer
      doubt ??= answer
    }
    return doubt
  }

export const noneOf =
  (check: Check): Check =>
  async (look) => {
    const answer = await check(look)
    if (answer === null) return plainFit
    return answer.kind === 'doubt' ? answer : null
  }

const excerptMax = 200

/** Where a part of a text stands, as people count. */
export const placeIn = ({ target, whole, start }: LookText, from: number, to: number): Place => {
  const at = start + from
  const begin = whole.lastIndexOf('\n', at - 1) + 1
  const end = whole.indexOf('\n', at)
  const own = whole.slice(begin, end < 0 ? whole.length : end)
  let line = 1
  for (let next = whole.indexOf('\n'); next >= 0 && next < at; next = whole.indexOf('\n', next + 1)) line += 1
  return {
    target,
    start: at,
    end: start + to,
    line,
    excerpt: own.length > excerptMax ? `${own.slice(0, excerptMax)}…` : own,
  }
}
