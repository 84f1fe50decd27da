import type { PathText } from '../snapshots/path-text.ts'
import { linkMode, programMode } from '../snapshots/tree.ts'
import { harmlessFiles, type ReviewClass, reviewClasses } from './review-classes.ts'

export interface ReviewItem {
  path: PathText
  /** A name of the table; `link` for what has no other. */
  class: string
  reason: string
}

/** What is looked at; a file can be a program by its permissions, or by how it begins. */
export interface ReviewedPath {
  path: PathText
  mode: string
  isProgram: boolean
}

/** What a person should have looked at before it is written; null for all else. */
export const reviewItem = ({ path, mode, isProgram }: ReviewedPath): ReviewItem | null => {
  // A link may be the directory that a tool looks for.
  const found = findClass(foldedPath(mode === linkMode ? `${path}/` : path))
  const isWeak = found === undefined || found.name === 'hidden'
  if (isWeak && (isProgram || mode === programMode)) return { path, class: 'program', reason: 'a program' }
  if (isWeak && mode === linkMode) return { path, class: 'link', reason: 'a link' }
  return found === undefined ? null : { path, class: found.name, reason: found.reason }
}

/** The most dangerous first, as the table has them. */
export const reviewOf = (files: readonly ReviewedPath[]): ReviewItem[] => sortReview(files.flatMap(itemsOf))

export const sortReview = (items: readonly ReviewItem[]): ReviewItem[] =>
  items.toSorted((a, b) => rankOf(a) - rankOf(b) || (a.path < b.path ? -1 : Number(a.path > b.path)))

const itemsOf = (file: ReviewedPath): ReviewItem[] => {
  const item = reviewItem(file)
  return item === null ? [] : [item]
}

const order = [...reviewClasses.map(({ name }) => name), 'link']
const rankOf = ({ class: name }: ReviewItem): number => order.indexOf(name)

/** A name as the most careless file system reads it: without case, unseen signs, other spellings, dots and spaces at its end. */
const foldedPath = (path: PathText): string =>
  path
    .normalize('NFKC')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    .split('/')
    .map((name) => name.replace(/(?<=[^. ])[. ]+$/, ''))
    .join('/')

const findClass = (path: string): ReviewClass | undefined => {
  const found = compiled.find(({ pattern }) => pattern.test(path))?.one
  return found?.name === 'hidden' && harmless.test(path) ? undefined : found
}

const globText = (glob: string): string => glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*')
const anyOf = (globs: readonly string[]): string => (globs.length === 0 ? '(?!)' : globs.map(globText).join('|'))

/** A link that is called like a file of the table ends in a slash here. */
const compiled = reviewClasses.map((one) => ({
  one,
  pattern: new RegExp(`(?:^|/)(?:(?:${anyOf(one.dirs)})/|(?:${anyOf(one.files)})/?$)`),
}))
/** Not below a hidden directory. */
const harmless = new RegExp(`^(?:[^./][^/]*/)*(?:${anyOf(harmlessFiles)})$`)
