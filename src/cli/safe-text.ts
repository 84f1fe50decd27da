import { escapeUnsafe, quote } from '../base/util/visible.ts'
import { shorten } from './format.ts'
import type { Reader } from './output.ts'

/** The beginning of untrusted text, on one line. */
export const oneLine = (text: string, limit: number): string => shorten(escapeUnsafe(text), limit)

/** A file's name may hold anything, line breaks included; all of it is shown. */
export const shownPath = (path: string): string =>
  escapeUnsafe(path).replaceAll('\n', '\\u{a}').replaceAll('\t', '\\u{9}')

/** All of an untrusted text; none of its lines can pass for one of Rein's. */
export const block = (text: string, { isAgent }: Reader): string =>
  isAgent ? quote(text) : `    ${escapeUnsafe(text).replaceAll('\n', '\n    ')}`
