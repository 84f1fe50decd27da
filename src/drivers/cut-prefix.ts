import { ReinError } from '../contract/errors.ts'
import { parseObject } from '../base/util/json.ts'
import type { Json } from './json.ts'

export interface Prefix {
  lines: string[]
  /** Lines behind it that could not be read, by number. */
  damaged: number[]
}

/** The first lines of a transcript to which the CLI only ever adds, and those behind them that close the turn. */
export const takePrefix = (
  lines: readonly string[],
  count: number,
  closes: (raw: Json) => boolean = () => false,
): Prefix => {
  const raws = lines.map(parseObject)
  let end = count
  for (let raw = raws[end]; raw !== undefined && raw !== null && closes(raw); raw = raws[end]) end += 1
  const damaged = lines.flatMap((line, index) => (raws[index] === null && line.trim() !== '' ? [index + 1] : []))
  const lost = damaged.filter((line) => line <= end)
  if (lost.length > 0) refuseDamaged(lost)
  return { lines: lines.slice(0, end), damaged }
}

export const refuseDamaged = (lost: readonly number[]): never => {
  const where = lost.length === 0 ? '' : ` (it cannot be read in line ${lost.join(', ')})`
  throw new ReinError(
    'transcript_damaged',
    `A part of the conversation up to there is missing from its transcript${where}.`,
    'Go back to a turn before that.',
  )
}

export const refuseUnknown = (after: string): never => {
  throw new ReinError('not_found', `The conversation has no entry ${after}.`)
}
