import { appendFile, copyFile, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { type CaptureOptions, Capturer } from './capture.ts'
import { isFull, SnapshotError, storageFull } from './errors.ts'
import { GitFailure } from './git.ts'
import { type Held, writeHeld } from './held.ts'
import type { World } from './layer.ts'
import { ObjectStore } from './object-store.ts'
import { FileMoved } from './objects.ts'
import { type Repository, signatureOf } from './repository.ts'

/** Files that change while they are read are read again, but not for ever. */
const mostAttempts = 4

export type TakeOptions = Pick<CaptureOptions, 'limits' | 'include' | 'signal' | 'onProgress'> &
  Partial<Pick<CaptureOptions, 'also' | 'drop' | 'objects'>>

/** Takes snapshots of one work tree. Whoever calls holds the lock. */
export class Taker {
  readonly #world: World
  readonly #capturer: Capturer
  #last: Held | null = null
  #indexTree = { signature: '', tree: null as string | null }

  constructor(world: World) {
    this.#world = world
    this.#capturer = new Capturer(world)
  }

  async take(options: TakeOptions): Promise<Held> {
    for (let attempt = 1; ; attempt += 1) {
      const store = new ObjectStore(this.#world.shadow)
      try {
        return await this.#takeOnce(store, { also: [], drop: [], objects: new Set(), ...options })
      } catch (cause) {
        if (isFull(cause)) throw storageFull(this.#world.shadow.path)
        if (!(cause instanceof GitFailure || cause instanceof FileMoved)) throw cause
        if (attempt === mostAttempts) throw unstable(this.#world.tree, cause)
      } finally {
        await store.close()
      }
    }
  }

  async #takeOnce(store: ObjectStore, options: CaptureOptions): Promise<Held> {
    const { repository } = await this.#capturer.top()
    const [top, index] = await Promise.all([this.#capturer.capture(store, options), this.#indexOf(repository)])
    const at = this.#world.now()
    const held = await writeHeld(store, top, index, at)
    if (this.#last !== null && isSame(held, this.#last) && (await store.writer.has(this.#last.id))) return this.#last
    await appendFile(madeFile(this.#world), `${at} ${held.id}\n`)
    this.#last = held
    return held
  }

  /** Told by git from a copy, which it may write to; asked only when the user's index is another file than before. */
  async #indexOf(repository: Repository | null): Promise<string | null> {
    if (repository === null) return null
    const source = path.join(repository.gitDir, 'index')
    const signature = await signatureOf(source)
    if (signature !== this.#indexTree.signature)
      this.#indexTree = { signature, tree: await indexTree(this.#world, repository, source) }
    return this.#indexTree.tree
  }
}

const isSame = (a: Held, b: Held): boolean => a.tree === b.tree && isDeepStrictEqual({ ...a, id: '' }, { ...b, id: '' })

const indexTree = async (world: World, repository: Repository, source: string): Promise<string | null> => {
  const copy = path.join(world.shadow.path, 'user-index')
  try {
    await copyFile(source, copy)
    const env = {
      GIT_INDEX_FILE: copy,
      GIT_OBJECT_DIRECTORY: world.shadow.objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(repository.objects),
    }
    const { stdout } = await repository.git(['write-tree'], { env })
    return stdout.toString().trim()
  } catch {
    return null
  } finally {
    await rm(copy, { force: true })
  }
}

/** Colons separate, so every path is quoted. */
const quoted = (file: string): string => `"${file.replaceAll(/["\\]/g, '\\$&')}"`

/** The snapshots that were made, each with its time. */
export const madeFile = (world: World): string => path.join(world.shadow.path, 'made')

export const readMade = async (world: World): Promise<{ at: number; id: string }[]> => {
  const text = await readFile(madeFile(world), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.split(' '))
  return lines.filter(([, id]) => id !== undefined).map(([at, id = '']) => ({ at: Number(at), id }))
}

const unstable = (tree: string, cause: Error): SnapshotError =>
  new SnapshotError(
    'unstable',
    `No snapshot of ${tree} could be taken: ${cause.message}. Its files may be changing all the time; the snapshots before are as they were.`,
  )
