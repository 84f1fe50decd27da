import { setTimeout as delay } from 'node:timers/promises'
import { type DaemonLock, takeLock } from '../../../base/store/lock.ts'
import { SnapshotError } from './errors.ts'
import { throwIfAborted } from './git.ts'

const patienceMs = 10 * 60_000
const retryMs = 10

/** One at a time for each shadow, over all processes; the kernel releases the lock of a killed process. */
export const withLock = async <T>(
  file: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> => {
  let lock: DaemonLock | null = null
  for (let waited = 0; lock === null; waited += retryMs) {
    throwIfAborted(signal)
    if (waited >= patienceMs)
      throw new SnapshotError(
        'busy',
        'Somebody else has been at work on these snapshots for ten minutes. Try again when they are done.',
      )
    lock = takeLock(file)
    if (lock === null) await delay(retryMs)
  }
  try {
    return await work()
  } finally {
    lock.release()
  }
}
