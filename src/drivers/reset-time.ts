const minute = 60_000
/** A message about a limit may be read, or even be shown, a little after the limit has ended. */
const lateMs = 10 * minute

/**
 * When a usage limit is over, as the CLIs tell people: `resets 3pm (Europe/Berlin)`, `resets Oct 9, 5am`,
 * `try again at Nov 18th, 2026 4:40 AM`, `try again in 3h 12m`, `limit reached|1762952400`. They cut the seconds off,
 * so the named minute has to be over too. Null if the text names no such time, or only one that is long past.
 */
export const resetTime = (
  text: string,
  now: number,
  zone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): number | null => {
  if (!Number.isFinite(now)) return null
  const [, epoch] = /\|(\d{10})\b/.exec(text) ?? []
  if (epoch !== undefined) return soonest([Number(epoch) * 1000], now)
  return soonest(afterDuration(text, now) ?? atClock(text, now, zone), now)
}

/** The first moment that is to come, or has just passed. */
export const soonest = (moments: readonly number[], now: number): number | null =>
  moments.find((at) => !Number.isNaN(new Date(at).getTime()) && at > now - lateMs) ?? null

const units: Record<string, number> = { d: 24 * 60 * minute, h: 60 * minute, m: minute, s: 1000 }

const afterDuration = (text: string, now: number): number[] | null => {
  const [, words] = /\b(?:resets?|try again|retry) in ((?:\d+ ?[a-z]+[, ]*)+)/i.exec(text) ?? []
  if (words === undefined) return null
  const parts = [...words.matchAll(/(\d+) ?([dhms])/gi)]
  return [parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit?.toLowerCase() ?? ''] ?? 0), now)]
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const date = String.raw`(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2})(?:st|nd|rd|th)?(?:, (?<year>\d{4}))?(?:,? at|,)? `
const clock = String.raw`(?<hour>0?[1-9]|1[0-2])(?::(?<minute>[0-5]\d))?\s?(?<half>[ap]m)\b(?: \((?<zone>[\w+/-]+)\))?`
const told = new RegExp(String.raw`\b(?:resets?(?: at)?|try again at) (?:${date})?${clock}`, 'i')

/** Which day is meant, or of which year, is not always said: all that it can be. */
const atClock = (text: string, now: number, local: string): number[] => {
  const said = told.exec(text)?.groups
  const zone = said?.['zone'] ?? local
  if (said === undefined || !isZone(zone)) return []
  const time = {
    hour: (Number(said.hour) % 12) + (said.half?.toLowerCase() === 'pm' ? 12 : 0),
    minute: Number(said['minute'] ?? 0),
  }
  const today = wallClock(now, zone)
  const years = said['year'] === undefined ? [today.year - 1, today.year, today.year + 1] : [Number(said['year'])]
  const days =
    said['month'] === undefined
      ? [-1, 0, 1].map((more) => ({ ...today, day: today.day + more }))
      : years
          .map((one) => ({
            year: one,
            month: months.indexOf((said['month'] ?? '').toLowerCase()) + 1,
            day: Number(said['day']),
          }))
          .filter(({ year, month, day }) => {
            const found = new Date(Date.UTC(year, month - 1, day))
            return found.getUTCMonth() === month - 1 && found.getUTCDate() === day
          })
  return days.map((day) => toEpoch({ ...day, ...time }, zone) + minute)
}

const isZone = (zone: string): boolean => {
  try {
    return Intl.DateTimeFormat('en-US', { timeZone: zone }) !== null
  } catch {
    return false
  }
}

interface WallClock {
  year: number
  month: number
  day: number
  hour: number
  minute: number
}

const wallClock = (at: number, timeZone: string): WallClock => {
  const numeric = 'numeric' as const
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric }
  const parts = Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...fields }).formatToParts(at)
  const value = (type: string): number => Number(parts.find((part) => part.type === type)?.value)
  return { year: value('year'), month: value('month'), day: value('day'), hour: value('hour'), minute: value('minute') }
}

const asUtc = ({ year, month, day, hour, minute: minutes }: WallClock): number =>
  Date.UTC(year, month - 1, day, hour, minutes)

/** The offset of the zone is only known at a moment: guess one, and correct it by the offset there. */
const toEpoch = (wall: WallClock, zone: string): number => {
  const offsetAt = (at: number): number => asUtc(wallClock(at, zone)) - Math.floor(at / minute) * minute
  const guess = asUtc(wall) - offsetAt(asUtc(wall))
  return asUtc(wall) - offsetAt(guess)
}
