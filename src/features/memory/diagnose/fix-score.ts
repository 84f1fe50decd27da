import { type Case, faded, fixId } from './fix-table.ts'

/** How many failures of a narrower kind outweigh what is known of the wider one. */
const PRIOR = 3

/**
 * The share of such failures that a fix ended: of the narrowest kind, drawn towards that of the wider ones while few
 * were seen. What was seen of a narrower kind is taken out of the wider one, or one lucky run would count three times.
 */
export function chanceOf(id: string, cases: readonly (Case | undefined)[], step: number): number {
  const counts = cases.map((found) => countsOf(id, found, step))
  let chance = 0
  for (let level = counts.length - 1; level >= 0; level--) {
    const { worked, seen } = counts[level] ?? NONE
    const narrower = counts[level - 1] ?? NONE
    const workedElsewhere = Math.max(0, worked - narrower.worked)
    chance = (workedElsewhere + PRIOR * chance) / (Math.max(workedElsewhere, seen - narrower.seen) + PRIOR)
  }
  return chance
}

const NONE = { worked: 0, seen: 0 }

const countsOf = (id: string, found: Case | undefined, step: number): typeof NONE => {
  if (found === undefined) return NONE
  const outcome = found.outcomes.find((each) => fixId(each) === id)
  const worked = outcome === undefined ? 0 : faded(outcome.weight, step - outcome.at)
  return { worked, seen: faded(found.weight, step - found.at) }
}
