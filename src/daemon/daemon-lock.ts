import { readRegistration, servingSocket } from '../client/registration.ts'
import { ReinError } from '../contract/errors.ts'
import { type DaemonLock, takeLock } from '../base/store/lock.ts'
import type { ReinPaths } from '../base/util/paths.ts'
import { isGone } from '../base/util/process.ts'
import { untilServed } from './servers.ts'

/** Null once the daemon that has the lock answers. One that is ending lets go. */
export const lockUnlessServed = async (paths: ReinPaths): Promise<DaemonLock | null> => {
  const deadline = Date.now() + 12_000
  while (Date.now() < deadline) {
    const lock = takeLock(paths.lock)
    if (lock !== null && !isAnotherAlive(paths)) return lock
    lock?.release()
    if (await untilServed(servingSocket(paths), 100)) return null
  }
  throw new ReinError(
    'unavailable',
    'Another daemon holds the lock but does not answer.',
    'End it with `rein daemon stop`, then try again.',
  )
}

/** A lock can be removed with its name; a daemon that lives without one is one all the same. */
export const isAnotherAlive = ({ registration }: ReinPaths): boolean => {
  const known = readRegistration(registration)
  return known !== null && known.pid !== process.pid && !isGone(known.pid, known.startTime)
}
