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
    const root = await this.#rootOf(cwd)
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

  async #rootOf(cwd: string): Promise<string> {
    const known = this.#roots.get(cwd)
    if (known !== undefined && this.#now() - known.at < freshMs) return known.root
    const root = await rootOf(cwd)
    this.#roots.set(cwd, { root, at: this.#now() })
    return root
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
    const isSame = known?.problem === problem && isSameAs(files, known.files)
    const shelf = { ...(isSame ? known : { root, files, problem, ...(await shelved(files, problem)) }), lookedAt }
    this.#shelves.set(root, shelf)
    return shelf
  }
}

const isSameAs = (files: ReadonlyMap<string, ReadFile>, known: ReadonlyMap<string, ReadFile>): boolean =>
  files.size === known.size &&
  [...files].every(([name, { stamp, problem }]) => {
    const was = known.get(name)
    return was?.stamp === stamp && was.problem === problem
  })

const shelved = async (files: ReadonlyMap<string, ReadFile>, problem: string | null): Promise<Omit<Shelf, 'root'>> => {
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
