import { chownSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, unlinkSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { Refusal } from './refusal.ts'
import { readTarget, type Target } from './target.ts'

/** Another program wrote the file in the meantime, so the decision about it no longer holds. */
export class Overtaken extends Error {}

/** Replaces exactly the bytes that were read before; null removes the file. */
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
    if (after === null) {
      check()
      if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) unlinkSync(file)
      return
    }
    mkdirSync(dirname(file), { recursive: true })
    removeOldDrafts(file)
    const { stats } = before
    const mode = stats === null ? newMode : stats.mode & 0o7777
    const beforeRename = (draft: string): void => {
      const { uid, gid } = statSync(draft)
      // Matters for root, and in a directory that a group shares.
      if (stats !== null && (uid !== stats.uid || gid !== stats.gid)) chownSync(draft, stats.uid, stats.gid)
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

const oldMs = 60_000

/** Removes drafts that a killed installer left beside the file. */
const removeOldDrafts = (file: string): void => {
  const dir = dirname(file)
  const isDraft = (name: string): boolean =>
    name.startsWith(`.${basename(file)}.`) && /\.[0-9a-f]{8}-[0-9a-f-]{27}\.tmp$/.test(name)
  const isOld = (name: string): boolean =>
    (statSync(join(dir, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < Date.now() - oldMs
  for (const name of readdirSync(dir).filter(isDraft).filter(isOld)) rmSync(join(dir, name), { force: true })
}
