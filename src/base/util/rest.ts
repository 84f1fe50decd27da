import { setImmediate } from 'node:timers/promises'

const longestMs = 15

/** Gives the event loop a turn when this work has run for a while; await it wherever the work can be interrupted. */
export type Rest = () => Promise<void> | undefined

export const restful = (): Rest => {
  let since = performance.now()
  const pause = async (): Promise<void> => {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < longestMs ? undefined : pause())
}
