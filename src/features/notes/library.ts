import { setImmediate as breath } from 'node:timers/promises'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import { listFiles, mostBytes, type ReadFile, readNote, rootOf } from './folder.ts'
import type { Note } from './note.ts'
import { Ranking } from './ranking.ts'

/** The notes of one project, as they were at the last look. */
export interface Shelf {
  root: string
  notes: readonly Note[]
  ranking: Ranking
  /** Why something there is no note. */
  problems: readonly string[]
}

interface Kept extends Shelf {
  files: ReadonlyMap<string, ReadFile>
  /** Why there are not more. */
  problem: string | null
  lookedAt: number
}

/** So long a look at the files is believed. */
const freshMs = 1_000
const readAtOnce = 20
const mostShelves = 50
const mostRoots = 1_000

/** All notes in memory; what has changed on disk is read again. */
export class Library {
  readonly #now: () => number
  readonly #shelves = new BoundedMap<string, Kept>(mostShelves)
  readonly #roots = new BoundedMap<string, { root: string; at: number }>(mostRoots)
  readonly #looks = new Map<string, Promise<Kept>>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** The notes of a directory. */
  async at(cwd: string): Promise<Shelf> {
    const place = this.#roots.get(cwd)
    const isFresh = place !== undefined && this.#now() - place.at < freshMs
    const root = isFresh ? place.root : await rootOf(cwd)
    if (!isFresh) this.#roots.set(cwd, { root, at: this.#now() })
    const known = this.#shelves.get(root)
    if (known !== undefined && this.#now() - known.lookedAt < freshMs) return known
    const look = this.#looks.get(root) ?? this.#look(root, known)
    this.#looks.set(root, look)
    return look.finally(() => this.#looks.delete(root))
  }

  /** Something was written there: what is known is no longer believed. */
  changed(root: string): void {
    const known = this.#shelves.get(root)
    if (known !== undefined) this.#shelves.set(root, { ...known, lookedAt: Number.NEGATIVE_INFINITY })
    this.#roots.clear()
  }

  async #look(root: string, known: Kept | undefined): Promise<Kept> {
    const lookedAt = this.#now()
    const { names, problem } = await listFiles(root)
    const files = new Map<string, ReadFile>()
    for (let at = 0; at < names.length; at += readAtOnce) {
      const some = names.slice(at, at + readAtOnce)
      const read = await Promise.all(some.map((name) => readNote(root, name, known?.files.get(name))))
      some.forEach((name, index) => files.set(name, read[index] as ReadFile))
    }
    const isSame =
      known?.problem === problem &&
      files.size === known.files.size &&
      [...files].every(([name, { stamp, problem: reason }]) => {
        const was = known.files.get(name)
        return was?.stamp === stamp && was.problem === reason
      })
    const shelf = { ...(isSame ? known : { root, files, problem, ...(await toShelf(files, problem)) }), lookedAt }
    this.#shelves.set(root, shelf)
    return shelf
  }
}

const toShelf = async (files: ReadonlyMap<string, ReadFile>, problem: string | null): Promise<Omit<Shelf, 'root'>> => {
  const notes: Note[] = []
  const ranking = new Ranking()
  const problems = problem === null ? [] : [problem]
  let left = mostBytes
  for (const [name, { note, size, problem: reason }] of files) {
    left -= note === null ? 0 : size
    if (reason !== null) problems.push(`${name}.md: ${reason}.`)
    else if (left < 0) problems.push(`${name}.md: all notes together have over ${mostBytes / 1024 / 1024} MiB.`)
    else if (note !== null) notes.push(note)
  }
  for (const [index, note] of notes.entries()) {
    // Others are answered in between.
    if (index % readAtOnce === 0) await breath()
    ranking.add(note)
  }
  return { notes, problems, ranking }
}
