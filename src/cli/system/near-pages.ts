import { nearest } from '../../base/util/nearest.ts'
import type { DocsPageView } from '../../contract/outputs/local.ts'

type Page = Pick<DocsPageView, 'topic' | 'title' | 'about'>

/** More are no help. */
const most = 5

/** The pages that a topic without a page is probably about, the likeliest first; headings are only looked at where nothing else fits. */
export const nearPages = <P extends Page>(
  pages: readonly P[],
  wanted: string,
  headingsOf: (page: P) => readonly string[],
): P[] => {
  const words = stemsOf(wanted)
  const byName = rank(pages, (page) => sum(words, (word) => nameDistance(word, page)))
  return byName.length > 0
    ? byName
    : rank(pages, (page) =>
        sum(words, (word) => (headingsOf(page).flatMap(stemsOf).some(isSame(word)) ? 0 : unrelated)),
      )
}

/** How far a page is from a word at most; farther, it has nothing to do with it. */
const unrelated = 4

const rank = <P>(pages: readonly P[], distanceOf: (page: P) => number | null): P[] =>
  pages
    .flatMap((page) => {
      const distance = distanceOf(page)
      return distance === null ? [] : { page, distance }
    })
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ page }) => page)

/** Null if no word has anything to do with it. */
const sum = (words: readonly string[], distanceOf: (word: string) => number): number | null => {
  const distances = words.map(distanceOf)
  return distances.some((distance) => distance < unrelated) ? distances.reduce((one, other) => one + other) : null
}

const nameDistance = (word: string, { topic, title, about }: Page): number => {
  const names = [...stemsOf(topic), ...stemsOf(title)]
  if (names.includes(word)) return 0
  if (names.some((name) => isBegun(word, name))) return 1
  if (nearest(word, names) !== undefined) return 2
  return stemsOf(about).some(isSame(word)) ? 3 : unrelated
}

const isSame =
  (word: string) =>
  (other: string): boolean =>
    other === word || (word.length >= 4 && other.startsWith(word))

/** `notify` and `notifications`: most of the word is the same, from the beginning on. */
const isBegun = (word: string, name: string): boolean => {
  const shared = Math.max(4, Math.ceil(word.length * 0.75))
  return (
    word.length >= 3 && (name.startsWith(word) || (word.length >= shared && name.startsWith(word.slice(0, shared))))
  )
}

/** The words of a text without the ending of the plural. */
const stemsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => (word.length > 3 ? word.replace(/s$/, '') : word))
