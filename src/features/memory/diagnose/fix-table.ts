import { isDestructive } from './destructive.ts'
import { type FixKind, isSameCommand, type Lesson } from './fix.ts'

/** The results of one fix after one kind of failure. */
interface Outcome {
  readonly kind: FixKind
  readonly template: string
  /** As it was last run; empty for the failed command itself. */
  readonly command: string
  /** For each changing word of the command: the index of the same word in the failed command, or -1. */
  readonly repeated: readonly number[]
  readonly worked: number
  readonly tried: number
  /** Successes; older ones weigh less. */
  readonly weight: number
  readonly at: number
}

/** One kind of failure: an error, a command or a program. */
export interface Case {
  /** Lessons about it; older ones weigh less. */
  readonly weight: number
  readonly at: number
  readonly outcomes: readonly Outcome[]
}

const halfLife = 3_000
const mostOutcomes = 12
const longestCommand = 300
/** How many failures of a narrower kind outweigh the wider kind. */
const priorWeight = 3

/** Two outcomes belong to the same fix: the same command, or a line of the same shape. */
export const fixId = ({ kind, template }: Pick<Outcome, 'kind' | 'template'>): string =>
  isSameCommand(kind) ? kind : `${kind} ${template}`

const fadeWeight = (weight: number, since: number): number => weight * 2 ** (-since / halfLife)

/** A kind of failure after one more lesson. */
export const addLesson = (
  { weight, at: before, outcomes }: Case,
  { attempts, failed, worked }: Lesson,
  at: number,
): Case => {
  let list = outcomes
  for (const { kind, ran } of attempts) {
    const { template, slots } = ran.line
    const isSame = isSameCommand(kind)
    const isLong = ran.source.length > longestCommand || ran.source.includes('\n')
    if (!isSame && (isLong || isDestructive(ran.source))) continue
    const known = list.find((each) => fixId(each) === fixId({ kind, template }))
    const success = worked ? 1 : 0
    const findRepeated = (slot: (typeof slots)[number]): number =>
      failed.line.slots.findIndex((other) => other.kind === slot.kind && other.text === slot.text)
    list = [
      ...list.filter((each) => each !== known),
      {
        kind,
        template,
        command: isSame ? '' : ran.source,
        repeated: isSame ? [] : slots.map(findRepeated),
        worked: (known?.worked ?? 0) + success,
        tried: (known?.tried ?? 0) + 1,
        weight: fadeWeight(known?.weight ?? 0, at - (known?.at ?? at)) + success,
        at,
      },
    ]
    if (list.length <= mostOutcomes) continue
    const weigh = (one: Outcome): number => fadeWeight(one.weight, at - one.at)
    const weakest = list.reduce((a, b) => (weigh(b) < weigh(a) ? b : a))
    list = list.filter((each) => each !== weakest)
  }
  return { weight: fadeWeight(weight, at - before) + 1, at, outcomes: list }
}

/**
 * The share of such failures that a fix ended: of the narrowest kind, drawn towards that of the wider kinds while few
 * were seen. Runs of a narrower kind are taken out of the wider one, or one lucky run would count three times.
 */
export const estimateChance = (id: string, cases: readonly (Case | undefined)[], step: number): number => {
  const counts = cases.map((found) => {
    if (found === undefined) return { worked: 0, seen: 0 }
    const outcome = found.outcomes.find((each) => fixId(each) === id)
    const worked = outcome === undefined ? 0 : fadeWeight(outcome.weight, step - outcome.at)
    return { worked, seen: fadeWeight(found.weight, step - found.at) }
  })
  return counts.reduceRight((chance, { worked, seen }, level) => {
    const narrower = counts[level - 1] ?? { worked: 0, seen: 0 }
    const workedElsewhere = Math.max(0, worked - narrower.worked)
    return (workedElsewhere + priorWeight * chance) / (Math.max(workedElsewhere, seen - narrower.seen) + priorWeight)
  }, 0)
}
