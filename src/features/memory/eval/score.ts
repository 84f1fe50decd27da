import type { EvalView } from '../../../contract/outputs/memory.ts'
import { normalise } from '../../../base/shell/normalise.ts'
import { groupOf, type HistoryRow } from './replay.ts'
import { shapeOf } from './shape.ts'

/** What was thought to come next, and how likely. */
export interface Guess {
  readonly cmd: string
  readonly p: number
}

/** What became of one prediction: the rank of what was run (-1 if it was not listed), and how sure the first was. */
interface Outcome {
  readonly rank: number
  readonly sure: number
  readonly afterFailure: boolean
}

type LevelName = 'exact' | 'template'
type Level = EvalView[LevelName]
type Rates = Level['micro']

const COVERAGE = 0.1
const MOST_COUNTED = 10
const SMALLEST_GROUP = 200

/** Compares predictions with what was run, line for line and shape for shape. */
export class Scoreboard {
  readonly #failed = new Map<string, boolean>()
  readonly #outcomes: Record<LevelName, Map<string, Outcome[]>> = { exact: new Map(), template: new Map() }

  /** Takes the commands in the order in which they were run. */
  add(row: HistoryRow, guesses: readonly Guess[]): void {
    this.#note('exact', row, guesses, normalise)
    this.#note('template', row, guesses, shapeOf)
    this.#failed.set(row.session, (row.exit ?? 0) !== 0)
  }

  #note(level: LevelName, row: HistoryRow, guesses: readonly Guess[], key: (command: string) => string): void {
    // A repetition neither costs nor gains a rank.
    const listed = [...new Set(guesses.map(({ cmd }) => key(cmd)))].slice(0, MOST_COUNTED)
    const rank = listed.indexOf(key(row.cmd))
    const outcome = { rank, sure: guesses[0]?.p ?? -1, afterFailure: this.#failed.get(row.session) === true }
    const group = this.#outcomes[level].get(groupOf(row))
    if (group === undefined) this.#outcomes[level].set(groupOf(row), [outcome])
    else group.push(outcome)
  }

  get groups(): number {
    return this.#outcomes.exact.size
  }

  level(name: LevelName): Level {
    const groups = [...this.#outcomes[name].values()]
    // The mean over groups that are large enough, whatever their size.
    const large = groups.filter((group) => group.length >= SMALLEST_GROUP)
    const mean = (ranks: number): number | null =>
      large.length === 0
        ? null
        : rounded(large.reduce((sum, group) => sum + (share(group, ranks) ?? 0), 0) / large.length, 1)
    const macro = { groups: large.length, hit1: mean(1), hit3: mean(3), hit5: mean(5) }
    return { micro: measureRates(groups.flat()), macro }
  }
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
const share = (outcomes: readonly Outcome[], ranks: number): number | null =>
  outcomes.length === 0
    ? null
    : rounded((100 * outcomes.filter(({ rank }) => rank >= 0 && rank < ranks).length) / outcomes.length, 1)

function measureRates(outcomes: readonly Outcome[]): Rates {
  const surest = outcomes.toSorted((a, b) => b.sure - a.sure).slice(0, Math.floor(outcomes.length * COVERAGE))
  const reciprocal = outcomes.reduce((sum, { rank }) => sum + (rank >= 0 ? 1 / (rank + 1) : 0), 0)
  const afterFailure = outcomes.filter((outcome) => outcome.afterFailure)
  return {
    n: outcomes.length,
    hit1: share(outcomes, 1),
    hit3: share(outcomes, 3),
    hit5: share(outcomes, 5),
    mrr: outcomes.length === 0 ? null : rounded(reciprocal / outcomes.length, 3),
    afterFailureHit5: share(afterFailure, 5),
    p1at10: share(surest, 1),
  }
}
