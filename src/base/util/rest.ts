import { setImmediate } from 'node:timers/promises'

const longestMs = 15

/** Lets others have their turn when this work has gone on for a while; to be awaited wherever it can be left. */
export type Rest = () => Promise<void> | undefined

export const restful = (): Rest => {
  let since = performance.now()
  const pause = async (): Promise<void> => {
    await setImmediate()
    since = performance.now()
  }
  return () => (performance.now() - since < longestMs ? undefined : pause())
}
