import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../base/util/atomic-write.ts'
import { Refusal } from './refusal.ts'

export const hashOf = (bytes: Buffer | null): string | null =>
  bytes === null ? null : createHash('sha256').update(bytes).digest('hex')

const fileOf = (state: string, hash: string): string => join(state, 'backups', hash)

/** Bytes of the user's, for this user alone, named after what they are. */
export const keepBackup = async (state: string, bytes: Buffer | null): Promise<void> => {
  const hash = hashOf(bytes)
  if (bytes === null || hash === null || existsSync(fileOf(state, hash))) return
  mkdirSync(join(state, 'backups'), { recursive: true, mode: 0o700 })
  await writeFileAtomic(fileOf(state, hash), bytes)
}

export const readBackup = (state: string, hash: string | null): Buffer | null => {
  if (hash === null) return null
  try {
    return readFileSync(fileOf(state, hash))
  } catch {
    throw new Refusal(`has lost its backup ${fileOf(state, hash)}`)
  }
}

export const dropBackup = (state: string, hash: string | null): void => {
  if (hash !== null) rmSync(fileOf(state, hash), { force: true })
}
