import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { ReinError } from '../../contract/errors.ts'
import { openDatabase } from './sqlite.ts'

/** Held by the kernel for as long as the process lives: it cannot be left behind, whatever ends it. */
export interface DaemonLock {
  release(): void
  /** False once its name was removed or given to another file: then somebody else may take a lock of the same name. */
  isInPlace(): boolean
}

/** Null when another process has it. */
export const takeLock = (path: string): DaemonLock | null => {
  const db = openDatabase(path)
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    const { ino } = statSync(path)
    return { release: () => db.close(), isInPlace: () => isFile(path, ino) }
  } catch (cause) {
    db.close()
    if (/locked|BUSY/i.test((cause as Error).message)) return null
    throw cause
  }
}

/** Where nobody can tell, nothing has happened to it. */
const isFile = (path: string, ino: number): boolean => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.ino === ino
  } catch {
    return true
  }
}

const patienceMs = 30_000
const retryMs = 5

/** One at a time for each file, across processes; the kernel lets go of the lock of one that was killed. */
export const withLock = async <T>(file: string, whoElse: string, work: () => Promise<T>): Promise<T> => {
  const lock = await waitForLock(file, whoElse)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const waitForLock = async (file: string, whoElse: string): Promise<DaemonLock> => {
  const deadline = Date.now() + patienceMs
  while (Date.now() < deadline) {
    const lock = takeLock(file)
    if (lock !== null) return lock
    await delay(retryMs)
  }
  throw new ReinError('unavailable', `${whoElse} is still at work.`, 'Try again when it is done.')
}
