const minute = 60_000

/**
 * When a usage limit is over, as the CLIs tell people: `resets 3pm (Europe/Berlin)`, `resets Oct 9, 5am`,
 * `try again at Nov 18th, 2026 4:40 AM`, `try again in 3h 12m`, `limit reached|1762952400`. They cut the seconds off,
 * so the named minute has to be over too. Null if nothing of that is said.
 */
export const resetTime = (text: string, now: number, zone = localZone()): number | null => {
  const [, epoch] = /\|(\d{10})\b/.exec(text) ?? []
  if (epoch !== undefined) return Number(epoch) * 1000
  return afterDuration(text, now) ?? atClock(text, now, zone)
}

const localZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

const units: Record<string, number> = { d: 24 * 60 * minute, h: 60 * minute, m: minute, s: 1000 }

const afterDuration = (text: string, now: number): number | null => {
  const [, words] = /\b(?:resets?|try again|retry) in ((?:\d+ ?[a-z]+[, ]*)+)/i.exec(text) ?? []
  if (words === undefined) return null
  const parts = [...words.matchAll(/(\d+) ?([dhms])/gi)]
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (units[unit?.toLowerCase() ?? ''] ?? 0), now)
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const date = String.raw`(?<month>[A-Z][a-z]{2}) (?<day>\d{1,2})(?:st|nd|rd|th)?(?:, (?<year>\d{4}))?(?:,? at|,)? `
const clock = String.raw`(?<hour>\d{1,2})(?::(?<minute>\d{2}))?\s?(?<half>[ap]m)\b(?: \((?<zone>[\w+/-]+)\))?`
const told = new RegExp(String.raw`\b(?:resets?(?: at)?|try again at) (?:${date})?${clock}`, 'i')

const atClock = (text: string, now: number, local: string): number | null => {
  const said = told.exec(text)?.groups
  if (said === undefined) return null
  const zone = said['zone'] ?? local
  if (!isZone(zone)) return null
  const { year, month, day } = wallClock(now, zone)
  const time = { hour: hourOf(said), minute: Number(said['minute'] ?? 0) }
  if (said['month'] !== undefined) {
    const named = { year: Number(said['year'] ?? year), month: monthOf(said['month']), day: Number(said['day']) }
    return toEpoch({ ...named, ...time }, zone) + minute
  }
  const days = [0, 1].map((more) => toEpoch({ year, month, day: day + more, ...time }, zone) + minute)
  return days.find((at) => at > now) ?? null
}

const hourOf = ({ hour, half }: Record<string, string | undefined>): number =>
  (Number(hour) % 12) + (half?.toLowerCase() === 'pm' ? 12 : 0)

const monthOf = (name: string): number => months.indexOf(name.toLowerCase()) + 1

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
