import { statSync } from 'node:fs'
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
    if (isBusy(cause)) return null
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

const isBusy = (cause: unknown): boolean => /locked|BUSY/i.test((cause as Error).message)
