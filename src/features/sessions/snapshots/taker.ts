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

/** A snapshot is tried again if files change while they are read, but not forever. */
const mostAttempts = 4
const attemptsWithKnown = 2

export type TakeOptions = Pick<CaptureOptions, 'limits' | 'include' | 'signal' | 'onProgress'> &
  Partial<Pick<CaptureOptions, 'also' | 'drop' | 'objects'>>

/** Takes snapshots of one work tree. The caller holds the lock. */
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
        // Some objects may not have been written.
        this.#capturer.forgetObjects()
        if (isFull(cause)) throw storageFull(this.#world.shadow.path)
        if (!isPassing(cause)) throw cause
        if (attempt === mostAttempts)
          throw new SnapshotError(
            'unstable',
            `No snapshot of ${this.#world.shadow.tree} could be taken: ${cause.message}. Its files may be changing all the time; the snapshots before are as they were.`,
          )
        if (attempt === attemptsWithKnown) {
          // A power cut may have left a broken index or object.
          await removeEmptyObjects(this.#world.shadow)
          await this.#capturer.startAnew()
        }
      } finally {
        await store.close()
      }
    }
  }

  async #takeOnce(store: ObjectStore, options: CaptureOptions): Promise<Held> {
    // A gc replaces this file, and may have dropped objects that this process knows.
    if ((await this.#madeBy()) !== this.#made) this.#capturer.forgetObjects()
    const { repository } = await this.#capturer.top()
    const [top, index] = await Promise.all([this.#capturer.capture(store, options), this.#readUserIndex(repository)])
    const at = this.#world.now()
    const found = await writeHeld(store, top, index, at)
    const last = this.#last
    const isSame =
      last !== null &&
      found.tree === last.tree &&
      isDeepStrictEqual({ ...found, id: '' }, { ...last, id: '' }) &&
      (await store.writer.has(last.id))
    const held = isSame ? last : found
    // An unchanged snapshot is noted again, so that gc takes it for a fresh one.
    await appendFile(madeFile(this.#world), `${at} ${held.id}\n`, { mode: 0o600 })
    this.#made = await this.#madeBy()
    this.#last = held
    return held
  }

  /** Tells one file of this name from the next; an inode number alone is reused. */
  async #madeBy(): Promise<string> {
    const found = await stat(madeFile(this.#world), { bigint: true }).catch(() => null)
    return `${found?.ino}.${found?.birthtimeNs}`
  }

  /** Git reads a copy, which it may write to; it is asked only when the user's index has changed. */
  async #readUserIndex(repository: Repository | null): Promise<string | null> {
    if (repository === null) return null
    const source = path.join(repository.gitDir, 'index')
    const signature = await signatureOf(source)
    if (signature === this.#indexTree.signature) return this.#indexTree.tree
    const { shadow } = this.#world
    const copy = path.join(shadow.path, 'user-index')
    try {
      await copyFile(source, copy)
      const env = {
        GIT_INDEX_FILE: copy,
        GIT_OBJECT_DIRECTORY: shadow.objects,
        // Quoted, since colons separate paths here.
        GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${repository.objects.replaceAll(/["\\]/g, '\\$&')}"`,
      }
      const { stdout } = await repository.git(['write-tree', '--missing-ok'], { env })
      this.#indexTree = { signature, tree: stdout.toString().trim() }
    } catch {
      this.#indexTree = { signature, tree: null }
    } finally {
      await rm(copy, { force: true })
    }
    return this.#indexTree.tree
  }
}

/** A changing file, a failed git or a damaged object: another attempt may succeed. */
const isPassing = (cause: unknown): cause is Error =>
  cause instanceof GitFailure ||
  cause instanceof FileMoved ||
  (cause instanceof SnapshotError && cause.code === 'damaged')

/** The snapshots that were made, each with its time. */
export const madeFile = (world: World): string => path.join(world.shadow.path, 'made')

export const readMade = async (world: World): Promise<{ at: number; id: string }[]> => {
  const text = await readFile(madeFile(world), 'utf8').catch(() => '')
  const lines = text.split('\n').map((line) => line.split(' '))
  return lines.filter(([, id]) => id !== undefined).map(([at, id = '']) => ({ at: Number(at), id }))
}
