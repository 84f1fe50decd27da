import { ReinError } from '../contract/errors.ts'
import type { Progress, ProgressLine } from '../contract/routes/route.ts'

export type OnProgress = (progress: Progress) => void

/** What came of something that tells how far it is. */
export const resultOf = async <T>(lines: AsyncIterable<ProgressLine<T>>, onProgress?: OnProgress): Promise<T> => {
  for await (const line of lines) {
    if ('result' in line) return line.result
    onProgress?.(line.progress)
  }
  throw new ReinError(
    'unavailable',
    'The daemon ended its answer before it was done.',
    '`rein session show` says how far it came.',
  )
}
