import type { OnProgress } from '../../client/progress.ts'
import type { Progress } from '../../contract/routes/route.ts'
import { onBeat } from '../../base/util/beat.ts'
import { progressText } from './move-text.ts'
import type { Output } from '../output.ts'

const patienceMs = 1000

/** Lets something take its time; after a while, and from then on, it says how far it is. */
export const withProgress = async <T>(
  { status }: Pick<Output, 'status'>,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> => {
  let latest: Progress | null = null
  let isShown = false
  const stop = onBeat(patienceMs, () => {
    if (latest === null) return
    isShown = true
    status(progressText(latest))
  })
  try {
    return await work((progress) => {
      latest = progress
    })
  } finally {
    stop()
    if (isShown) status('')
  }
}
