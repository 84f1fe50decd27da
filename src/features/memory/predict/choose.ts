import type { TextCandidate } from './text-features.ts'

export interface Choice {
  readonly candidate: TextCandidate
  /** How likely exactly this line is. */
  readonly likely: number
}

/** How much a new shape counts beside the exact line. */
const SHAPE_COUNTS = 1.5

/** The best list: likely lines first, and with `shapes` not the same shape again and again. */
export function choose(choices: readonly Choice[], shapes: boolean, limit: number): Choice[] {
  const left = [...choices]
  const shown = new Set<number>()
  const chosen: Choice[] = []
  const worth = ({ candidate, likely }: Choice): number =>
    likely + (shapes && !shown.has(candidate.template) ? SHAPE_COUNTS * candidate.likely : 0)
  while (chosen.length < limit && left.length > 0) {
    const [best] = left.splice(indexOfBest(left, worth), 1)
    if (best === undefined) break
    shown.add(best.candidate.template)
    chosen.push(best)
  }
  return chosen
}

function indexOfBest(choices: readonly Choice[], worth: (choice: Choice) => number): number {
  let best = 0
  let most = Number.NEGATIVE_INFINITY
  for (const [index, choice] of choices.entries()) {
    const value = worth(choice)
    if (value <= most) continue
    most = value
    best = index
  }
  return best
}
