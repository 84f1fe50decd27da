import { statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { ReinError } from '../../contract/errors.ts'
import { openDatabase } from './sqlite.ts'

/** The kernel holds it while the process lives, so it cannot be left behind. */
export interface DaemonLock {
  release(): void
  /** False once the file was removed or replaced: then another process can take a lock of the same name. */
  isInPlace(): boolean
}

/** Null when another process has it. */
export const takeLock = (path: string): DaemonLock | null => {
  const db = openDatabase(path)
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    const { ino } = statSync(path)
    const isInPlace = (): boolean => {
      try {
        return statSync(path, { throwIfNoEntry: false })?.ino === ino
      } catch {
        // Not knowing is no reason to give it up.
        return true
      }
    }
    return { release: () => db.close(), isInPlace }
  } catch (cause) {
    db.close()
    if (/locked|BUSY/i.test((cause as Error).message)) return null
    throw cause
  }
}

const patienceMs = 30_000
const retryMs = 5

/** One at a time for each file, across processes; the kernel releases the lock of a killed process. */
export const withLock = async <T>(file: string, whoElse: string, work: () => Promise<T>): Promise<T> => {
  const deadline = Date.now() + patienceMs
  let lock = takeLock(file)
  while (lock === null) {
    if (Date.now() >= deadline)
      throw new ReinError('unavailable', `${whoElse} is still at work.`, 'Try again when it is done.')
    await delay(retryMs)
    lock = takeLock(file)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
