import { type BigIntStats, lstatSync, lstat as lstatWithCallback } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { access, constants } from 'node:fs/promises'
import { promisify } from 'node:util'
import { codeOf, isAbsent } from './errors.ts'
import { findFile } from './find-file.ts'
import { gitModeOf, oddMode, type UsualModes } from './modes.ts'
import { FileMoved, type ObjectWriter } from './objects.ts'
import { inParallel } from './parallel.ts'
import { type PathText, pathAt } from './path-text.ts'
import { type Entry, linkMode } from './tree.ts'

export type SkipReason = 'too large' | 'unreadable' | 'special' | 'name' | 'work tree'

/** A path that a snapshot leaves out. */
export interface Skipped {
  path: PathText
  reason: SkipReason
  bytes: number
}

/** One path as it is on disk, and how a snapshot treats it. */
export type Look =
  | { path: PathText; kind: 'gone' }
  | { path: PathText; kind: 'skipped'; reason: SkipReason; bytes: number }
  | { path: PathText; kind: 'held'; stat: BigIntStats }

/** Twice as fast as the one of `fs/promises`, which matters for thousands of files. */
const lstat = promisify(lstatWithCallback)
const atOnce = 64
const filesAtOnce = 8
/** How many directories are looked at before the event loop gets a turn. */
const dirsAtOnce = 64
/** Two changes within one tick of the file system's clock look the same. */
const settledMs = 50n
/** Names that no git tree may have. */
const refused = /(^|\/)\.git(\/|$)/i
const refusedLink = /(^|\/)\.gitmodules$/i

export const lookAt = async (root: string, paths: readonly PathText[], largest: number): Promise<Look[]> => {
  const looks: Look[] = []
  await inParallel(paths, atOnce, async (path) => {
    try {
      const stat = await lstat(pathAt(root, path), { bigint: true })
      const reason = await findSkipReason(root, path, stat, largest)
      if (reason !== null) looks.push({ path, kind: 'skipped', reason, bytes: Number(stat.size) })
      else looks.push(stat.isDirectory() ? { path, kind: 'gone' } : { path, kind: 'held', stat })
    } catch (cause) {
      if (isAbsent(cause)) looks.push({ path, kind: 'gone' })
      else if (codeOf(cause) === 'EACCES') looks.push({ path, kind: 'skipped', reason: 'unreadable', bytes: 0 })
      else throw cause
    }
  })
  return looks
}

const findSkipReason = async (
  root: string,
  path: PathText,
  stat: BigIntStats,
  largest: number,
): Promise<SkipReason | null> => {
  if (refused.test(path)) return 'name'
  if (stat.isSymbolicLink()) return refusedLink.test(path) ? 'name' : null
  if (stat.isDirectory()) return null
  if (!stat.isFile()) return 'special'
  if (stat.size > largest) return 'too large'
  if (Number(stat.uid) === process.getuid?.() && (stat.mode & 0o400n) !== 0n) return null
  return access(pathAt(root, path), constants.R_OK).then(
    () => null,
    () => 'unreadable',
  )
}

/** Permissions of held files that are not the usual ones; null for the usual ones. */
export const oddFiles = (usual: UsualModes, looks: readonly Look[]): Map<PathText, number | null> =>
  new Map(
    looks.map((look) => {
      const isFile = look.kind === 'held' && look.stat.isFile()
      return [look.path, isFile ? oddMode(usual, 'file', Number(look.stat.mode)) : null]
    }),
  )

/** The same for directories, without those below a symbolic link. */
export const oddDirs = async (
  root: string,
  usual: UsualModes,
  dirs: ReadonlySet<PathText>,
): Promise<Map<PathText, number>> => {
  const odd = new Map<PathText, number>()
  let looked = 0
  for (const dir of dirs) {
    // Git has just visited them, so the kernel answers from its cache: asynchronous calls would take far longer.
    const stat = lstatSync(pathAt(root, dir), { throwIfNoEntry: false })
    const mode = stat?.isDirectory() === true ? oddMode(usual, 'dir', stat.mode) : null
    if (mode !== null && (await findFile(root, dir)) !== null) odd.set(`${dir}/`, mode)
    looked += 1
    if (looked % dirsAtOnce === 0) await nextTurn()
  }
  return odd
}

/** Turns looks into tree entries; a file that has not changed is not read again. */
export class Contents {
  readonly #root: string
  readonly #writer: ObjectWriter
  readonly #now: () => number
  readonly #seen = new Map<PathText, { key: string; entry: Entry }>()

  constructor(root: string, writer: ObjectWriter, now: () => number) {
    this.#root = root
    this.#writer = writer
    this.#now = now
  }

  forget(): void {
    this.#seen.clear()
  }

  async entriesOf(looks: readonly Look[], known: ReadonlySet<string>): Promise<Map<PathText, Entry | null>> {
    const entries = new Map<PathText, Entry | null>()
    await inParallel(looks, filesAtOnce, async (look) => {
      entries.set(look.path, look.kind === 'held' ? await this.#entryOf(look.path, look.stat, known) : null)
    })
    for (const path of this.#seen.keys()) if (!entries.has(path)) this.#seen.delete(path)
    return entries
  }

  async #entryOf(path: PathText, stat: BigIntStats, known: ReadonlySet<string>): Promise<Entry | null> {
    const key = `${stat.ino}.${stat.mode}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`
    const seen = this.#seen.get(path)
    if (seen?.key === key) return seen.entry
    const isSettled = stat.ctimeMs < BigInt(this.#now()) - settledMs
    try {
      const file = pathAt(this.#root, path)
      const entry = stat.isSymbolicLink()
        ? { mode: linkMode, id: await this.#writer.writeLink(file) }
        : { mode: gitModeOf(Number(stat.mode)), id: await this.#writer.writeFile(file, known) }
      if (isSettled) this.#seen.set(path, { key, entry })
      return entry
    } catch (cause) {
      if (isAbsent(cause)) return null
      throw codeOf(cause) === 'ELOOP' ? new FileMoved(path) : cause
    }
  }
}
