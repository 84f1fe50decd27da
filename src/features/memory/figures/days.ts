import type { Outcome } from '../../../contract/outcome.ts'

interface Day {
  day: string
  commands: number
  /** Those whose end is known. */
  known: number
  failed: number
}

/** No time zone changes its day between these. */
const stepMs = 15 * 60_000

/** When the first of so many days began, of which today is the last. */
export const firstOf = (days: number, now: number): number => {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days + 1)
  return day.getTime()
}

/** How many commands were run each day, as days are where the daemon runs. */
export class Days {
  readonly #days = new Map<string, Day>()
  readonly #steps = new Map<number, Day>()

  /** Each day from the first to the last of these moments is there, also one without commands. */
  constructor(since: number, now: number) {
    const day = new Date(since)
    day.setHours(12, 0, 0, 0)
    for (; day.getTime() < now; day.setDate(day.getDate() + 1)) this.#dayOf(nameOf(day))
    this.#dayOf(nameOf(new Date(now)))
  }

  add(at: number, outcome: Outcome): void {
    const step = Math.floor(at / stepMs)
    const day = this.#steps.get(step) ?? this.#dayOf(nameOf(new Date(at)))
    this.#steps.set(step, day)
    day.commands += 1
    day.known += Number(outcome === 'failed' || outcome === 'ok')
    day.failed += Number(outcome === 'failed')
  }

  view(): Day[] {
    return [...this.#days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
  }

  #dayOf(name: string): Day {
    const day = this.#days.get(name) ?? { day: name, commands: 0, known: 0, failed: 0 }
    this.#days.set(name, day)
    return day
  }
}

const nameOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
