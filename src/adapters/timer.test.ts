import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { away, createWorld, TestClock, type TestWorld } from '../../test/support/adapter-world.ts'
import type { Adapter } from './sdk/adapter.ts'
import { ReinError } from '../contract/errors.ts'
import { dueRun, scheduleOf, timer } from './timer.ts'

const time = (text: string): number => Date.parse(text)
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

describe('a run', () => {
  const daily = scheduleOf({ cron: '30 9 * * *', timezone: 'UTC' })
  const due = (last: string, now: string): string | null => iso(dueRun(daily, time(last), time(now)))

  test('is due from its very moment on', () => {
    expect(due('2026-06-01T09:30:00Z', '2026-06-02T09:29:59.999Z')).toBe(null)
    expect(due('2026-06-01T09:30:00Z', '2026-06-02T09:30:00.000Z')).toBe('2026-06-02T09:30:00.000Z')
    expect(due('2026-06-02T09:30:00Z', '2026-06-02T09:30:00.001Z')).toBe(null)
  })

  test('makes up for all that were missed', () => {
    expect(due('2026-06-01T09:30:00Z', '2026-06-08T12:00:00Z')).toBe('2026-06-08T09:30:00.000Z')
  })
})

describe('summer time', () => {
  /** All runs of a day, looked at every quarter of an hour. */
  const runsOf = (cron: string, day: string): string[] => {
    const schedule = scheduleOf({ cron, timezone: 'Europe/Berlin' })
    const runs: string[] = []
    let last = time(`${day}T00:00:00+02:00`) - 3_600_000
    for (let now = last; now < time(`${day}T23:59:00+01:00`); now += 900_000) {
      const at = dueRun(schedule, last, now)
      if (at !== null) runs.push(new Date(at).toISOString().slice(11, 16))
      last = at ?? last
    }
    return runs
  }

  test('a time that is skipped in spring comes when the clock jumps', () => {
    expect(runsOf('30 2 * * *', '2026-03-29')).toEqual(['01:00'])
  })

  test('a time that comes twice in autumn runs once', () => {
    expect(runsOf('30 2 * * *', '2026-10-25')).toEqual(['00:30'])
  })

  test('every hour is every hour', () => {
    expect(runsOf('0 * * * *', '2026-03-29').filter((run) => run < '05:00')).toHaveLength(5)
    expect(runsOf('0 * * * *', '2026-10-25').filter((run) => run < '05:00')).toHaveLength(5)
  })
})

describe('the adapter', () => {
  const [minute, hour] = [60_000, 3_600_000]
  const job = { cron: '0 9 * * MON-FRI', timezone: 'Europe/Paris', text: 'Look at the open issues.' }
  let clock: TestClock
  let world: TestWorld
  let adapter: Adapter | undefined

  const start = async (...jobs: object[]): Promise<void> => {
    adapter = await timer.start(timer.config.parse({ jobs: jobs.length === 0 ? [job] : jobs }), world)
    await clock.idle()
  }
  const stop = async (): Promise<void> => {
    await adapter?.shutdown()
    adapter = undefined
  }
  const runs = (): unknown[] => world.daemon.received.map(({ meta }) => meta?.['due'])

  beforeEach(() => {
    clock = new TestClock('2026-06-05T06:59:30Z')
    world = createWorld({ now: clock.now, wait: clock.wait })
  })

  afterEach(stop)

  test('says its text in time, and once', async () => {
    await start()
    await clock.pass(29_999)
    expect(runs()).toEqual([])
    await clock.pass(1)
    await clock.idle()
    expect(world.daemon.channels).toEqual([{ name: 'timer' }])
    expect(world.daemon.received).toEqual([
      {
        channel: 'timer',
        text: 'Look at the open issues.',
        key: expect.stringMatching(/^[0-9a-f]{16}@2026-06-05T07:00:00.000Z$/),
        claimedAt: time('2026-06-05T07:00:00Z'),
        meta: { due: '2026-06-05T07:00:00.000Z' },
      },
    ])
    await clock.pass(72 * hour)
    await clock.idle()
    expect(runs()).toEqual(['2026-06-05T07:00:00.000Z', '2026-06-08T07:00:00.000Z'])
  })

  test('makes up once for what it missed while it was down', async () => {
    await start()
    await stop()
    clock.set('2026-06-15T12:00:00Z')
    await start()
    expect(runs()).toEqual(['2026-06-15T07:00:00.000Z'])
    await stop()
    await start()
    expect(runs()).toHaveLength(1)
  })

  test('makes up once for what it slept through, unless that is not wanted', async () => {
    await start(job, { ...job, text: 'Stand up.', missed: 'skip' })
    await clock.jump(4 * 24 * hour)
    expect(world.daemon.received.map(({ text }) => text)).toEqual(['Look at the open issues.'])
    await clock.pass(24 * hour)
    await clock.idle()
    expect(world.daemon.received.map(({ text }) => text)).toEqual([
      'Look at the open issues.',
      'Look at the open issues.',
      'Stand up.',
    ])
  })

  test('is not late by a minute or two', async () => {
    await start({ ...job, missed: 'skip' })
    await clock.jump(2 * minute)
    expect(runs()).toEqual(['2026-06-05T07:00:00.000Z'])
  })

  test('has missed nothing before it was known', async () => {
    await start()
    await clock.pass(24 * hour)
    await stop()
    await start({ ...job, text: 'Something new.' })
    expect(world.daemon.received.map(({ text }) => text)).toEqual(['Look at the open issues.'])
  })

  test('says nothing twice when the clock is set back, and is not silent either', async () => {
    await start()
    await clock.pass(hour)
    await clock.jump(-400 * 24 * hour)
    await clock.pass(24 * hour)
    await clock.idle()
    expect(runs()).toEqual(['2026-06-05T07:00:00.000Z', '2025-05-02T07:00:00.000Z'])
  })

  test('goes on after a text that is refused', async () => {
    world.daemon.failures.receive.push(new ReinError('text_too_large', 'The text is too long.'))
    await start()
    await clock.pass(minute)
    await clock.idle()
    expect(world.lines).toEqual(['The run of 2026-06-05T07:00:00.000Z was refused: The text is too long.'])
    await stop()
    await start()
    expect(runs()).toEqual([])
  })

  test('that ends before the daemon had it says it the next time', async () => {
    world.daemon.failures.receive.push(away())
    await start()
    const passed = clock.pass(minute)
    await world.logged(/not running/)
    await stop()
    await start()
    await passed
    expect(runs()).toEqual(['2026-06-05T07:00:00.000Z'])
  })
})

describe('a config', () => {
  const problems = (job: object): unknown[] =>
    (timer.config.safeParse({ jobs: [{ cron: '@daily', text: 'x', ...job }] }).error?.issues ?? []).map(
      ({ path, message }) => [path.join('.'), message],
    )

  test('has the time zone of the machine, if it names none', () => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
    expect(timer.config.parse({ jobs: [{ cron: '@daily', text: 'x' }] }).jobs[0]?.timezone).toBe(timeZone)
  })

  test.each([
    [{ timezone: 'Europe/Berln' }, 'jobs.0.timezone', '"Europe/Berln" is no time zone, like Europe/Paris'],
    [{ cron: '61 * * * *' }, 'jobs.0.cron', 'CronPattern: Invalid value for minute: 61'],
    [{ cron: '0 0 30 2 *' }, 'jobs.0.cron', '"0 0 30 2 *" never comes'],
    [{ text: ' ' }, 'jobs.0.text', 'Too small: expected string to have >=1 characters'],
    [{ when: 1 }, 'jobs.0', 'Unrecognized key: "when"'],
  ])('with %j is refused', (job, field, message) => {
    expect(problems(job)).toEqual([[field, message]])
  })
})
