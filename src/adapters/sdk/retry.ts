import { ReinError } from '../../contract/errors.ts'
import { isObject } from '../../base/util/json.ts'

const [firstWaitMs, longestWaitMs] = [1_000, 30_000]

/** Tries until it works, or can never work, or `signal` says that it is no longer worth it. */
export const untilDone = async <T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<T> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt()
    } catch (cause) {
      const wish = retryInMsOf(cause)
      if (wish === null || signal.aborted) throw cause
      const ms = wish ?? Math.min(firstWaitMs * 2 ** failures, longestWaitMs)
      log(`${messageOf(cause)} Trying again in ${Math.ceil(ms / 1000)} s.`)
      await wait(ms, signal)
      if (signal.aborted) throw cause
    }
  }
}

/** After `signal` there is nothing any more; before, a failure is one. */
export const nothingAfter =
  (signal: AbortSignal) =>
  (cause: unknown): [] => {
    if (signal.aborted) return []
    throw cause
  }

/** What a failure says about trying again: in so many milliseconds, never (null), or nothing. */
export const retryInMsOf = (cause: unknown): number | null | undefined => {
  if (cause instanceof ReinError)
    // The daemon is away or busy, or there is no room now.
    return cause.status >= 500 || cause.status === 408 || cause.status === 429 || cause.code === 'inbox_full'
      ? undefined
      : null
  const wish = isObject(cause) ? cause['retryInMs'] : undefined
  return wish === null || typeof wish === 'number' ? wish : undefined
}

/** Keeps the process alive meanwhile; ends early when `signal` is aborted. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })

export const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
