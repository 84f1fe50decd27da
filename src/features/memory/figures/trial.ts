import type { StatsView } from '../../../contract/routes/memory.ts'
import { type Place, type RanCommand, Tally } from './conduct.ts'

type Difference = StatsView['trial']['failedDifference']

/** Commands of one conversation with a known result. */
interface Ends {
  failed: number
  known: number
}

/** One side of the trial: results in total and per conversation. */
export class Arm {
  readonly tally = new Tally()
  readonly #conversations = new Map<string, Ends>()

  add(command: RanCommand, place: Place): void {
    this.tally.add(command, place)
    const isFailed = command.outcome === 'failed'
    if (!isFailed && command.outcome !== 'ok') return
    const conversation = conversationOf(command.session)
    const ends = this.#conversations.get(conversation) ?? { failed: 0, known: 0 }
    ends.known += 1
    ends.failed += Number(isFailed)
    this.#conversations.set(conversation, ends)
  }

  get ends(): Ends[] {
    return [...this.#conversations.values()]
  }
}

/** Commands of a sub-agent belong to the conversation that started it. */
export const conversationOf = (session: string): string => session.split('/', 1)[0] ?? session

const fewestConversations = 5

/**
 * How many percentage points more commands fail on the first side, with its 95 % interval; null if there are too few.
 * Commands of one conversation depend on each other, so the conversation is the unit of variation.
 */
export const failedDifference = (one: readonly Ends[], other: readonly Ends[]): Difference => {
  const fewest = Math.min(one.length, other.length)
  if (fewest < fewestConversations) return null
  const a = estimateRate(one)
  const b = estimateRate(other)
  const points = 100 * (a.rate - b.rate)
  const reach = 100 * studentQuantile(fewest - 1) * Math.sqrt(a.variance + b.variance)
  return { points, low: Math.max(-100, points - reach), high: Math.min(100, points + reach) }
}

/** The rate of the sums, and its variance by the delta method. */
const estimateRate = (conversations: readonly Ends[]): { rate: number; variance: number } => {
  const failed = sum(conversations.map((ends) => ends.failed))
  const known = sum(conversations.map((ends) => ends.known))
  const rate = failed / known
  const squares = sum(conversations.map((ends) => (ends.failed - rate * ends.known) ** 2))
  const count = conversations.length
  const between = ((count / (count - 1)) * squares) / known ** 2
  // Conversations that happen to be alike, as without any failure, must not look like certainty.
  const smoothed = (failed + 1) / (known + 2)
  return { rate, variance: Math.max(between, (smoothed * (1 - smoothed)) / known) }
}

/** The 97.5 % point of Student's distribution (Cornish and Fisher); right to 0.01 from 4 degrees of freedom on. */
const studentQuantile = (freedom: number): number => {
  const z = 1.959964
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
