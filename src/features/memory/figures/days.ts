import type { Outcome } from '../../../contract/outcome.ts'

interface Day {
  day: string
  commands: number
  /** With a known result. */
  known: number
  failed: number
}

/** No time zone changes its day between these. */
const stepMs = 15 * 60_000

/** The start of a period of so many days that ends today. */
export const firstOf = (days: number, now: number): number => {
  const day = new Date(now)
  day.setHours(0, 0, 0, 0)
  day.setDate(day.getDate() - days + 1)
  return day.getTime()
}

/** Commands per day, in the daemon's time zone. */
export class Days {
  readonly #days = new Map<string, Day>()
  readonly #steps = new Map<number, Day>()

  /** Includes each day between these times, also without commands. */
  constructor(since: number, now: number) {
    const day = new Date(since)
    day.setHours(12, 0, 0, 0)
    for (; day.getTime() < now; day.setDate(day.getDate() + 1)) this.#day(nameDay(day))
    this.#day(nameDay(new Date(now)))
  }

  add(at: number, outcome: Outcome): void {
    const step = Math.floor(at / stepMs)
    const day = this.#steps.get(step) ?? this.#day(nameDay(new Date(at)))
    this.#steps.set(step, day)
    day.commands += 1
    day.known += Number(outcome === 'failed' || outcome === 'ok')
    day.failed += Number(outcome === 'failed')
  }

  view(): Day[] {
    return [...this.#days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1))
  }

  #day(name: string): Day {
    const day = this.#days.get(name) ?? { day: name, commands: 0, known: 0, failed: 0 }
    this.#days.set(name, day)
    return day
  }
}

const nameDay = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
