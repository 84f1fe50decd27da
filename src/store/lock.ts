import { openDatabase } from './sqlite.ts'

/** Held by the kernel for as long as the process lives: it cannot be left behind, whatever ends it. */
export interface DaemonLock {
  release(): void
}

/** Null when another process has it. */
export const takeLock = (path: string): DaemonLock | null => {
  const db = openDatabase(path)
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return { release: () => db.close() }
  } catch (cause) {
    db.close()
    if (isBusy(cause)) return null
    throw cause
  }
}

const isBusy = (cause: unknown): boolean => /locked|BUSY/i.test((cause as Error).message)
