import { chownSync, lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { Refusal } from './refusal.ts'
import { readTarget, type Target } from './target.ts'

/** Somebody else wrote the file meanwhile: what was decided about it no longer holds. */
export class Overtaken extends Error {}

/** Puts the bytes (null: no file) in the place of exactly those that were read before. */
export const writeTarget = async (
  file: string,
  before: Target,
  after: Buffer | null,
  newMode: number,
): Promise<void> => {
  const check = (): void => {
    const now = readTarget(file)
    if (!isSameBytes(now.bytes, before.bytes)) throw new Overtaken()
  }
  try {
    if (after === null) return removeFile(file, check)
    mkdirSync(dirname(file), { recursive: true })
    removeOldDrafts(file)
    const mode = before.stats === null ? newMode : before.stats.mode & 0o7777
    const beforeRename = (draft: string): void => {
      keepOwner(draft, before.stats)
      check()
    }
    await writeFileAtomic(file, after, { mode, beforeRename })
  } catch (cause) {
    if (cause instanceof Refusal || cause instanceof Overtaken) throw cause
    throw new Refusal(`cannot be written (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`)
  }
}

export const isSameBytes = (one: Buffer | null, other: Buffer | null): boolean =>
  one === null || other === null ? one === other : one.equals(other)

const removeFile = (file: string, check: () => void): void => {
  check()
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) unlinkSync(file)
}

/** Matters to root, and where a group shares a directory. */
const keepOwner = (draft: string, stats: Stats | null): void => {
  if (stats === null) return
  const { uid, gid } = statSync(draft)
  if (uid !== stats.uid || gid !== stats.gid) chownSync(draft, stats.uid, stats.gid)
}

const oldMs = 60_000

/** What an installer that was killed left beside the file. */
const removeOldDrafts = (file: string): void => {
  const dir = dirname(file)
  const isDraft = (name: string): boolean =>
    name.startsWith(`.${basename(file)}.`) && /\.[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/.test(name)
  const isOld = (name: string): boolean =>
    (statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - oldMs
  for (const name of readdirSync(dir).filter(isDraft).filter(isOld)) rmSync(join(dir, name), { force: true })
}
