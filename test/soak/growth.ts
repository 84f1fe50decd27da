import { median } from '../../bench/measure.ts'

/** One look at how much is held. */
export interface Sample {
  at: number
  mib: number
}

/**
 * By how many percent it grows from the first look to the last. The median slope between any two looks: what comes and goes
 * at one of them does not decide, as it would if only the ends counted.
 */
export const growthPercent = (samples: readonly Sample[]): number => {
  const slopes = samples.flatMap((one, index) =>
    samples.slice(index + 1).map((other) => (other.mib - one.mib) / (other.at - one.at)),
  )
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || slopes.length === 0) return 0
  return ((median(slopes) * (last.at - first.at)) / first.mib) * 100
}
