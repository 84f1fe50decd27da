import { setTimeout as delay } from 'node:timers/promises'
import { type DaemonLock, takeLock } from '../../../base/store/lock.ts'
import { SnapshotError } from './errors.ts'
import { throwIfAborted } from './git.ts'

const patienceMs = 10 * 60_000
const retryMs = 10

/** One at a time for each shadow, over all processes; the kernel lets go of the lock of one that was killed. */
export const withLock = async <T>(
  file: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  const lock = await waitForLock(file, signal)
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const waitForLock = async (file: string, signal: AbortSignal | undefined): Promise<DaemonLock> => {
  for (let waited = 0; waited < patienceMs; waited += retryMs) {
    throwIfAborted(signal)
    const lock = takeLock(file)
    if (lock !== null) return lock
    await delay(retryMs)
  }
  throw new SnapshotError(
    'busy',
    'Somebody else has been at work on these snapshots for ten minutes. Try again when they are done.',
  )
}
