import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resetTime, soonest } from './reset-time.ts'

const minute = 60_000
const at = (iso: string): number => Date.parse(iso)
const noon = at('2026-11-16T12:00:30Z')

describe('a time of the day is the next one, and its minute must be over', () => {
  test.each([
    ["You've hit your session limit · resets 3pm (UTC)", '2026-11-16T15:01Z'],
    ["You've hit your session limit · resets 6:35am (UTC)", '2026-11-17T06:36Z'],
    ['resets 3pm (Europe/Berlin)', '2026-11-16T14:01Z'],
    ['resets 12am (America/Los_Angeles)', '2026-11-17T08:01Z'],
    ['resets 12pm (Asia/Kolkata)', '2026-11-17T06:31Z'],
    ['resets 12pm (UTC)', '2026-11-16T12:01Z'],
    ['limit will reset at 9am (America/Chicago).', '2026-11-16T15:01Z'],
    ['try again at 6:39 AM.', '2026-11-17T06:40Z'],
    ['or try again at 6:39\u202fPM.', '2026-11-16T18:40Z'],
  ])('%s', (text, expected) => {
    expect(resetTime(text, noon, 'UTC')).toBe(at(expected))
  })
})

describe('a date', () => {
  test.each([
    ['resets Nov 18, 5am (UTC)', '2026-11-18T05:01Z'],
    ['resets Nov 18 at 5:20am (Europe/Berlin)', '2026-11-18T04:21Z'],
    ['resets Jan 2, 2027, 5am (UTC)', '2027-01-02T05:01Z'],
    ['try again at Nov 18th, 2026 4:40 AM.', '2026-11-18T04:41Z'],
    ['try again at Dec 1st, 2026 4:40 PM.', '2026-12-01T16:41Z'],
  ])('%s', (text, expected) => {
    expect(resetTime(text, noon, 'UTC')).toBe(at(expected))
  })

  test.each([
    ['that has passed is the next such one', 'resets Nov 3, 5am (UTC)', '2026-11-16T12:00Z', '2027-11-03T05:01Z'],
    ['of the new year', 'resets Jan 2, 5am (UTC)', '2026-12-31T12:00Z', '2027-01-02T05:01Z'],
    ['of the old year, just passed', 'resets Dec 31, 11:59pm (UTC)', '2027-01-01T00:01Z', '2027-01-01T00:00Z'],
  ])('%s', (_, text, now, expected) => {
    expect(resetTime(text, at(now), 'UTC')).toBe(at(expected))
  })

  test.each(['Nov 3, 2026, 5am', 'Nov 31, 5am', 'Feb 29, 5am', 'Foo 3, 5am', 'Nov 18, 13pm', 'Nov 18, 5:77am'])(
    '%s is none to wait for',
    (text) => {
      expect(resetTime(`resets ${text} (UTC)`, noon, 'UTC')).toBeNull()
    },
  )
})

test.each([
  ['try again in 3h 12m', 192 * minute],
  ['Try again in 2 days 3 hours 5 minutes.', (51 * 60 + 5) * minute],
  ['resets in 45s', 45_000],
])('%s', (text, ms) => {
  expect(resetTime(text, noon, 'UTC')).toBe(noon + ms)
})

test('seconds since 1970', () => {
  expect(resetTime('Claude AI usage limit reached|1794852400', noon)).toBe(1_794_852_400_000)
  expect(resetTime('Claude AI usage limit reached|1762952400', noon)).toBeNull()
})

test.each(['', "You've hit your monthly spend limit.", 'resets 3pm (Nowhere/Land)', 'it resets 3 counters'])(
  '%j tells no time',
  (text) => {
    expect(resetTime(text, noon, 'UTC')).toBeNull()
  },
)

describe('when clocks change', () => {
  test.each([
    ['before they go forward', 'resets 1:30am (Europe/Berlin)', '2026-03-29T00:00Z', '2026-03-29T00:31Z'],
    ['after they went forward', 'resets 3:30am (Europe/Berlin)', '2026-03-29T00:00Z', '2026-03-29T01:31Z'],
    ['after they went back', 'resets 4am (Europe/Berlin)', '2026-10-25T00:00Z', '2026-10-25T03:01Z'],
    ['on the day after', 'resets 8am (America/New_York)', '2026-10-31T20:00Z', '2026-11-01T13:01Z'],
  ])('%s', (_, text, now, expected) => {
    expect(resetTime(text, at(now))).toBe(at(expected))
  })
})

/** As Claude Code writes it. */
const written = (reset: number, now: number, timeZone: string): string => {
  const hour = { hour: 'numeric', minute: '2-digit', hour12: true, timeZone } as const
  const isFar = reset - now > 24 * 60 * minute
  const text = isFar
    ? new Date(reset).toLocaleString('en-US', { month: 'short', day: 'numeric', year: 'numeric', ...hour })
    : new Date(reset).toLocaleTimeString('en-US', hour)
  return `You've hit your limit · resets ${text.replace(/\s([AP]M)/, (_, half: string) => half.toLowerCase())} (${timeZone})`
}

test('what is written about any moment is read back to the minute, but for what can be two', () => {
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe')
  const moment = fc.integer({ min: at('2025-01-01T00:00Z'), max: at('2030-01-01T00:00Z') })
  fc.assert(
    fc.property(zone, moment, fc.integer({ min: 0, max: 8 * 24 * 60 * minute }), (timeZone, now, ahead) => {
      const reset = now + ahead
      const read = resetTime(written(reset, now, timeZone), now) ?? 0
      const isTwice = [30 * minute, 60 * minute].some(
        (shift) =>
          written(reset, now, timeZone) === written(reset + shift, now, timeZone) ||
          written(reset, now, timeZone) === written(reset - shift, now, timeZone),
      )
      const isSame = read > reset && read - reset <= minute
      const isAlsoJustOver = ahead > (24 * 60 - 11) * minute && ahead <= 24 * 60 * minute
      expect(isSame || isTwice || isAlsoJustOver).toBe(true)
    }),
  )
})

const moment = fc.integer({ min: at('2025-01-01T00:00Z'), max: at('2030-01-01T00:00Z') })

test('a time that has just passed is that moment, not the one of the next day', () => {
  fc.assert(
    fc.property(moment, fc.integer({ min: -5 * 60 * minute, max: 8 * minute }), (reset, late) => {
      const now = reset + late
      const named = Math.floor(reset / minute) * minute
      expect(resetTime(written(reset, reset, 'UTC'), now)).toBe(named + minute)
    }),
  )
})

test.each([
  ['at the named time', '2026-11-16T15:00:00Z', '2026-11-16T15:01Z'],
  ['within its minute', '2026-11-16T15:00:30Z', '2026-11-16T15:01Z'],
  ['after its minute', '2026-11-16T15:02:00Z', '2026-11-16T15:01Z'],
  ['ten minutes later', '2026-11-16T15:11:00Z', '2026-11-17T15:01Z'],
])('%s', (_, now, expected) => {
  expect(resetTime('resets 3pm (UTC)', at(now))).toBe(at(expected))
})

test('whatever is said, it is a moment to come or just over', () => {
  const words = fc.constantFrom(
    'resets ',
    'try again in ',
    'try again at ',
    '|',
    'Nov ',
    'Feb ',
    '31, ',
    '2024, ',
    'pm',
    'd',
  )
  const text = fc.array(fc.oneof(words, fc.integer({ min: 0, max: 1e10 }).map(String)), { maxLength: 8 })
  fc.assert(
    fc.property(text, fc.oneof(moment, fc.constant(NaN)), (parts, now) => {
      const read = resetTime(parts.join(''), now, 'UTC')
      expect(read === null || (read > now - 10 * minute && new Date(read).toISOString() !== '')).toBe(true)
    }),
  )
})

test('of moments none that is no time, or long over, is chosen', () => {
  fc.assert(
    fc.property(fc.array(fc.double()), moment, (moments, now) => {
      const chosen = soonest(moments, now)
      expect(chosen === null || (moments.includes(chosen) && chosen > now - 10 * minute && chosen <= 8.64e15)).toBe(
        true,
      )
    }),
  )
})
