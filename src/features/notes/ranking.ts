import type { Note } from './note.ts'
import { tokensOf } from './tokens.ts'

interface Ranked {
  note: Note
  /** BM25. */
  score: number
  /** How many different words of the question stand in it. */
  matched: number
  /** How much speaks for it, whatever the number of notes: a word that only it has counts about 1. */
  weight: number
}

interface Posting {
  note: number
  /** How often it has the word; those of its title count twice. */
  count: number
}

const k1 = 1.5
const b = 0.75
/** A longer question says nothing more. */
const mostWords = 400
const fewestWords = 3
const usualWeight = 3
/** In a long text some words fit by chance: so many of them need one more that fits. */
const wordsPerChance = 32

/** Finds notes by their words. */
export class Ranking {
  readonly #notes: Note[] = []
  readonly #lengths: number[] = []
  readonly #postings = new Map<string, Posting[]>()
  #allLength = 0

  constructor(notes: readonly Note[] = []) {
    for (const note of notes) this.add(note)
  }

  add(note: Note): void {
    const index = this.#notes.length
    const words = [...tokensOf(note.title), ...tokensOf(note.text)]
    const counts = new Map<string, number>()
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    for (const [word, count] of counts) {
      const postings = this.#postings.get(word) ?? []
      postings.push({ note: index, count })
      this.#postings.set(word, postings)
    }
    this.#notes.push(note)
    this.#lengths.push(words.length)
    this.#allLength += words.length
  }

  /** Best first. */
  search(words: readonly string[]): Ranked[] {
    const asked = [...new Set(words)].slice(0, mostWords)
    const found = new Map<number, { score: number; matched: number }>()
    for (const word of asked) {
      const postings = this.#postings.get(word) ?? []
      const worth = this.#worthOf(postings.length)
      for (const { note, count } of postings) {
        const sum = found.get(note) ?? { score: 0, matched: 0 }
        const length = ((this.#lengths[note] ?? 0) * this.#notes.length) / this.#allLength
        sum.score += worth * ((count * (k1 + 1)) / (count + k1 * (1 - b + b * length)))
        sum.matched += 1
        found.set(note, sum)
      }
    }
    const most = this.#worthOf(1)
    return Array.from(found, ([index, { score, matched }]) => ({
      note: this.#notes[index] as Note,
      score,
      matched,
      weight: score / most,
    })).toSorted((one, other) => other.score - one.score || (one.note.name < other.note.name ? -1 : 1))
  }

  /** Only those that surely have to do with it: mostly none. */
  fitting(words: readonly string[], most: number): Ranked[] {
    const asked = Math.min(new Set(words).size, mostWords)
    if (asked < fewestWords) return []
    const needed = usualWeight + asked / wordsPerChance
    return this.search(words)
      .filter(({ matched, weight }) => matched >= fewestWords && weight >= needed)
      .slice(0, most)
  }

  /** The weight of a word that so many notes have. */
  #worthOf(count: number): number {
    return Math.log(1 + (this.#notes.length - count + 0.5) / (count + 0.5))
  }
}
