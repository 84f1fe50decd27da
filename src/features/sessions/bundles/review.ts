import type { PathText } from '../snapshots/path-text.ts'
import { linkMode, programMode } from '../snapshots/tree.ts'
import { harmlessFiles, reviewClasses } from './review-classes.ts'

export interface ReviewItem {
  path: PathText
  /** A name of the table; `link` for a link of no other class. */
  class: string
  reason: string
}

/** A path to review; a file can be a program by its permissions, or by its first bytes. */
interface ReviewedPath {
  path: PathText
  mode: string
  isProgram: boolean
}

/** A path that a person should review before it is written; null for all others. */
export const reviewItem = ({ path, mode, isProgram }: ReviewedPath): ReviewItem | null => {
  // A path as the most lenient file system reads it: without case, invisible characters, and dots or spaces at the end of names.
  // A link may be the directory that a tool looks for.
  const folded = (mode === linkMode ? `${path}/` : path)
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .split('/')
    .map((name) => name.replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/')
  const first = compiled.find(({ pattern }) => pattern.test(folded))?.one
  const found = first?.name === 'hidden' && harmless.test(folded) ? undefined : first
  const isWeak = found === undefined || found.name === 'hidden'
  if (isWeak && (isProgram || mode === programMode)) return { path, class: 'program', reason: 'a program' }
  if (isWeak && mode === linkMode) return { path, class: 'link', reason: 'a link' }
  return found === undefined ? null : { path, class: found.name, reason: found.reason }
}

/** The most dangerous first, as the table has them. */
export const reviewOf = (files: readonly ReviewedPath[]): ReviewItem[] =>
  sortReview(files.map(reviewItem).filter((item) => item !== null))

export const sortReview = (items: readonly ReviewItem[]): ReviewItem[] =>
  items.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : Number(a.path > b.path)))

const order = [...reviewClasses.map(({ name }) => name), 'link']
const rankOf = ({ class: name }: ReviewItem): number => order.indexOf(name)

const matchAny = (globs: readonly string[]): string => {
  const texts = globs.map((glob) => glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*'))
  return texts.length === 0 ? '(?!)' : texts.join('|')
}

/** A link that is called like a file of the table ends in a slash here. */
const compiled = reviewClasses.map((one) => ({
  one,
  pattern: new RegExp(`(?:^|/)(?:(?:${matchAny(one.dirs)})/|(?:${matchAny(one.files)})/?$)`),
}))
/** Not below a hidden directory. */
const harmless = new RegExp(`^(?:[^./][^/]*/)*(?:${matchAny(harmlessFiles)})$`)
