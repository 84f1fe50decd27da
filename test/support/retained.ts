import { setImmediate as nextJob } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** What a WeakRef has shown stays until the job is over in which it did. */
const collectGarbage = async (): Promise<void> => {
  await nextJob()
  collect()
  await nextJob()
  collect()
}

/** How many of these somebody still holds. */
export const countHeld = async (references: readonly WeakRef<object>[]): Promise<number> => {
  await collectGarbage()
  return references.filter((one) => one.deref() !== undefined).length
}

/** How many bytes are held by what `make` returns. */
export const heldBytes = async (make: () => unknown): Promise<number> => {
  await collectGarbage()
  const before = process.memoryUsage().heapUsed
  const kept = make()
  await collectGarbage()
  const held = process.memoryUsage().heapUsed - before
  // Until here it is held.
  return kept === undefined ? 0 : held
}
