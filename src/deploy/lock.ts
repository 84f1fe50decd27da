import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { ReinError } from '../contract/errors.ts'
import { type DaemonLock, takeLock } from '../store/lock.ts'

const patienceMs = 30_000
const retryMs = 5

/** One installer at a time for each state directory; the kernel lets go of the lock of one that was killed. */
export const locked = async <T>(state: string, work: () => Promise<T>): Promise<T> => {
  const lock = await waitForLock(join(state, 'deployments.lock'))
  try {
    return await work()
  } finally {
    lock.release()
  }
}

const waitForLock = async (file: string): Promise<DaemonLock> => {
  const deadline = Date.now() + patienceMs
  while (Date.now() < deadline) {
    const lock = takeLock(file)
    if (lock !== null) return lock
    await delay(retryMs)
  }
  throw new ReinError('unavailable', 'Another setup is still at work.', 'Try again when it is done.')
}
