import { appendFile, copyFile, readFile, rm, stat } from 'node:fs/promises'
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
import { removeEmptyObjects } from './shadow-dir.ts'

/** Files that change while they are read are read again, but not for ever. */
const mostAttempts = 4
const attemptsWithKnown = 2

export type TakeOptions = Pick<CaptureOptions, 'limits' | 'include' | 'signal' | 'onProgress'> &
  Partial<Pick<CaptureOptions, 'also' | 'drop' | 'objects'>>

/** Takes snapshots of one work tree. Whoever calls holds the lock. */
export class Taker {
  readonly #world: World
  readonly #capturer: Capturer
  #last: Held | null = null
  #made = ''
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
        // Not all may be there that was to be written.
        this.#capturer.forgetObjects()
        if (isFull(cause)) throw storageFull(this.#world.shadow.path)
        if (!isPassing(cause)) throw cause
        if (attempt === mostAttempts) throw unstable(this.#world.shadow.tree, cause)
        if (attempt === attemptsWithKnown) await this.#startAnew()
      } finally {
        await store.close()
      }
    }
  }

  /** What a power cut has left of an index or an object must not be in the way for ever. */
  async #startAnew(): Promise<void> {
    await removeEmptyObjects(this.#world.shadow)
    await this.#capturer.startAnew()
  }

  async #takeOnce(store: ObjectStore, options: CaptureOptions): Promise<Held> {
    // A gc writes this file anew, and may have dropped what we believe to be there.
    if ((await this.#madeBy()) !== this.#made) this.#capturer.forgetObjects()
    const { repository } = await this.#capturer.top()
    const [top, index] = await Promise.all([this.#capturer.capture(store, options), this.#indexOf(repository)])
    const at = this.#world.now()
    const found = await writeHeld(store, top, index, at)
    const held = (await this.#isLast(store, found)) ?? found
    // Noted again, too: a snapshot that was just handed out is a fresh one for gc.
    await appendFile(madeFile(this.#world), `${at} ${held.id}\n`, { mode: 0o600 })
    this.#made = await this.#madeBy()
    this.#last = held
    return held
  }

  async #isLast({ writer }: ObjectStore, found: Held): Promise<Held | null> {
    return this.#last !== null && isSame(found, this.#last) && (await writer.has(this.#last.id)) ? this.#last : null
  }

  /** Tells one file of this name from another; a number alone is given again. */
  async #madeBy(): Promise<string> {
    const found = await stat(madeFile(this.#world), { bigint: true }).catch(() => null)
    return `${found?.ino}.${found?.birthtimeNs}`
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

/** A file was changing, git stumbled over one, or what is known is damaged: another attempt may do. */
const isPassing = (cause: unknown): cause is Error =>
  cause instanceof GitFailure ||
  cause instanceof FileMoved ||
  (cause instanceof SnapshotError && cause.code === 'damaged')

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
    const { stdout } = await repository.git(['write-tree', '--missing-ok'], { env })
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
