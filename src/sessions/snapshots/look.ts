import type { BigIntStats } from 'node:fs'
import { access, constants, lstat } from 'node:fs/promises'
import { codeOf, isAbsent } from './errors.ts'
import { gitModeOf, oddMode, type UsualModes } from './modes.ts'
import { FileMoved, type ObjectWriter } from './objects.ts'
import { inParallel } from './parallel.ts'
import { type PathText, parentsOf, pathAt } from './path-text.ts'
import { type Entry, linkMode } from './tree.ts'

export type SkipReason = 'too large' | 'unreadable' | 'special' | 'name' | 'work tree'

/** A path that a snapshot says nothing about. */
export interface Skipped {
  path: PathText
  reason: SkipReason
  bytes: number
}

/** One path as it is on disk, and what a snapshot makes of it. */
export type Look =
  | { path: PathText; kind: 'gone' }
  | { path: PathText; kind: 'skipped'; reason: SkipReason; bytes: number }
  | { path: PathText; kind: 'held'; stat: BigIntStats }

const atOnce = 64
const filesAtOnce = 8
/** Two changes of a file within one tick of the clock of a file system cannot be told apart. */
const settledMs = 50n
/** Names that no git tree may have. */
const refused = /(^|\/)\.git(\/|$)/i
const refusedLink = /(^|\/)\.gitmodules$/i

export const lookAt = async (root: string, paths: readonly PathText[], largest: number): Promise<Look[]> => {
  const looks: Look[] = []
  await inParallel(paths, atOnce, async (path) => void looks.push(await lookAtOne(root, path, largest)))
  return looks
}

const lookAtOne = async (root: string, path: PathText, largest: number): Promise<Look> => {
  try {
    const stat = await lstat(pathAt(root, path), { bigint: true })
    const reason = await reasonToSkip(root, path, stat, largest)
    if (reason !== null) return { path, kind: 'skipped', reason, bytes: Number(stat.size) }
    return stat.isDirectory() ? { path, kind: 'gone' } : { path, kind: 'held', stat }
  } catch (cause) {
    if (isAbsent(cause)) return { path, kind: 'gone' }
    if (codeOf(cause) === 'EACCES') return { path, kind: 'skipped', reason: 'unreadable', bytes: 0 }
    throw cause
  }
}

const reasonToSkip = async (
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
  return isOurs(stat) || (await mayRead(pathAt(root, path))) ? null : 'unreadable'
}

const isOurs = (stat: BigIntStats): boolean => Number(stat.uid) === process.getuid?.() && (stat.mode & 0o400n) !== 0n

const mayRead = (file: Buffer): Promise<boolean> =>
  access(file, constants.R_OK).then(
    () => true,
    () => false,
  )

/** Permissions that are not the usual ones, of held files and of every directory above the paths; null for the usual ones. */
export const lookAtModes = async (
  root: string,
  usual: UsualModes,
  looks: readonly Look[],
  emptyDirs: readonly PathText[],
): Promise<Map<PathText, number | null>> => {
  const modes = new Map<PathText, number | null>()
  for (const look of looks)
    modes.set(
      look.path,
      look.kind === 'held' && look.stat.isFile() ? oddMode(usual, 'file', Number(look.stat.mode)) : null,
    )
  const dirs = new Set([...looks.flatMap(({ path }) => parentsOf(path)), ...emptyDirs, ...emptyDirs.flatMap(parentsOf)])
  await inParallel(dirs, atOnce, async (dir) => {
    const found = await lstat(pathAt(root, dir)).catch(() => null)
    modes.set(`${dir}/`, found?.isDirectory() === true ? oddMode(usual, 'dir', found.mode) : null)
  })
  return modes
}

/** Turns what was found into entries; a file that has not changed since is not read again. */
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
      const entry = await this.#read(path, stat, known)
      if (isSettled) this.#seen.set(path, { key, entry })
      return entry
    } catch (cause) {
      if (isAbsent(cause)) return null
      throw codeOf(cause) === 'ELOOP' ? new FileMoved(path) : cause
    }
  }

  async #read(path: PathText, stat: BigIntStats, known: ReadonlySet<string>): Promise<Entry> {
    const file = pathAt(this.#root, path)
    if (stat.isSymbolicLink()) return { mode: linkMode, id: await this.#writer.writeLink(file) }
    return { mode: gitModeOf(Number(stat.mode)), id: await this.#writer.writeFile(file, known) }
  }
}
