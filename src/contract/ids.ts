import { ReinError } from './errors.ts'

/**
 * Ids are time-ordered UUIDs: all that are made within a minute share their first eight digits, so a short form cannot
 * be a prefix. The last eight digits are random: among a million ids, one typed short form in 4,000 is ambiguous.
 */
export const tailLength = 8

/** An id as people see it: `dir_c21d0a7b` for `dir_01a1e8c4-502d-7521-bd1a-cbe1c21d0a7b`. */
export const shortId = (id: string): string => {
  const [, kind = '', tail = ''] = /^([a-z]+_)[0-9a-f-]{24,}([0-9a-f]{8})$/.exec(id) ?? []
  return tail === '' ? id : `${kind}${tail}`
}

const fullId = /\b[a-z]+_[0-9a-f-]{32,36}\b/g

/** A text with its ids as people see them; with whole ones where two would look the same. */
export const shortenIds = (text: string): string => {
  const ids = new Set(text.match(fullId))
  const isClear = new Set([...ids].map(shortId)).size === ids.size
  return isClear ? text.replaceAll(fullId, shortId) : text
}

/** Fewer digits could be anything. */
const partPattern = /^([a-z]+_)?([0-9a-f-]{4,})$/

/** What a typed part of an id says: its kind (`dir_`, or empty) and its digits. */
export const parseIdPart = (given: string): { kind: string; digits: string } | null => {
  const [, kind = '', digits] = partPattern.exec(given) ?? []
  return digits === undefined ? null : { kind, digits }
}

/** Whether a typed part names an id: by its beginning, or by the beginning of its short form. */
export const matchesId = (id: string, given: string): boolean => {
  const part = parseIdPart(given)
  if (id === given || part === null) return id === given
  const tail = id.slice(-tailLength)
  return id.startsWith(given) || (id.startsWith(part.kind) && tail.startsWith(part.digits))
}

/** The id that a typed part means. Without any match it is returned as it is: the lookup after this reports it. */
export const chooseId = (given: string, matching: readonly string[]): string => {
  const [only = given, ...others] = matching.includes(given) ? [given] : matching
  if (others.length === 0) return only
  const short = matching.map(shortId)
  const shown = new Set(short).size === matching.length ? short : matching
  throw new ReinError('ambiguous_id', `${given} matches several ids.`, `Give one of: ${shown.join(', ')}.`)
}
