import type { Loop } from '../../contract/loop.ts'
import type { Step } from './step.ts'

/** A loop, and by what it is known as the same one. */
export interface Found {
  key: string
  loop: Loop
}

const longestRound = 4

/** The steps at the end that come again and again in the same order, with the same results. */
export const roundIn = (steps: readonly Step[]): Found | null => {
  const lengths = Array.from({ length: longestRound }, (_, index) => index + 1)
  const rounds = lengths.map((length) => ({ length, count: roundsOf(steps, length) }))
  const { length, count } = rounds.reduce((best, one) => (one.count > best.count ? one : best))
  return count > 1 ? found(steps.slice(-length), count) : null
}

const roundsOf = (steps: readonly Step[], length: number): number => {
  let same = 0
  while (same < steps.length - length && isSame(steps.at(-1 - same), steps.at(-1 - same - length))) same++
  return 1 + Math.floor(same / length)
}

const isSame = (a: Step | undefined, b: Step | undefined): boolean => a?.key === b?.key && a?.result === b?.result

/** A round is the same wherever one begins to count. */
const found = (round: readonly Step[], count: number): Found => ({
  key: `repeat ${round
    .map(({ key }) => key)
    .toSorted()
    .join(' ')}`,
  loop: { kind: 'repeat', calls: round.map(({ what }) => what), count, result: round.at(-1)?.shown ?? '' },
})
