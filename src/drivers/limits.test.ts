/** How the real CLIs said that the account's usage limit is reached, in every way by which Rein hears of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Limit } from '../contract/conversation.ts'
import { decode } from './claude/decode.ts'
import { findLimit } from './claude/limit.ts'
import { findLimit as codexLimit, findReset } from './codex/limit.ts'
import { stream as claudeStream } from './claude/stream.ts'
import { stream as codexStream } from './codex/stream.ts'
import type { StreamSession } from './contract.ts'
import { findDriver } from './registry.ts'

const parseLines = (cli: string, version: string, name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../test/fixtures', cli, version, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)

const at = (iso: string): number => Date.parse(iso)

describe('in a transcript, read by the clock of its entry', () => {
  const limitsIn = (cli: string, lines: readonly string[]): Limit[] => {
    const { format } = findDriver(cli).transcript
    if (format.kind !== 'lines') throw new Error(`${cli} writes lines`)
    const read = format.reader()
    return lines.flatMap((line) => read(line)).flatMap(({ limit }) => limit ?? [])
  }

  test.each([
    ['claude', '2.1.197', at('2026-11-16T06:37Z')],
    ['claude', '2.1.9', at('2026-11-16T06:36Z')],
    ['codex', '0.166.0', 1_794_976_832_000],
    ['copilot', '1.0.102', null],
  ])('%s %s', (cli, version, until) => {
    expect(limitsIn(cli, parseLines(cli, version, 'usage-limit'))).toEqual([{ until }])
  })

  test('Codex names the minute where it does not count', () => {
    const lines = parseLines('codex', '0.166.0', 'usage-limit').filter((line) => !line.includes('token_count'))
    const [limit] = limitsIn('codex', lines)
    expect(Math.abs((limit?.until ?? 0) - 1_794_976_832_000)).toBeLessThanOrEqual(60_000)
  })

  test.each(['api-error', 'run-say'])('other errors are none: %s', (name) => {
    expect(limitsIn('claude', parseLines('claude', '2.1.197', name))).toEqual([])
  })
})

describe('in a hook call', () => {
  const meta = { native: 'StopFailure', agent: null, pid: null, conversation: null }
  const calls = parseLines('claude', '2.1.197', 'hook-calls').map((line) => JSON.parse(line) as Record<string, unknown>)
  const recorded = calls.findLast(({ event }) => event === 'StopFailure')?.['stdin']

  test('Claude Code tells it when it stops', () => {
    expect(decode(recorded, meta, at('2026-11-16T04:36:12Z')).limit).toEqual({ until: at('2026-11-16T06:37Z') })
  })

  test('another failure is none', () => {
    expect(decode({ error: 'server_error', last_assistant_message: 'Overloaded' }, meta)).not.toHaveProperty('limit')
  })
})

describe('in a stream', () => {
  const now = (): number => at('2026-11-16T05:00Z')
  const limitedBy = (session: StreamSession, lines: readonly string[]) =>
    lines.flatMap((line) => session.receive(line)).flatMap((one) => (one.kind === 'state' ? [one] : []))
  const claude = () => claudeStream(() => Promise.resolve(), now)

  test('Claude Code counts the seconds, stays limited at the end of the turn, and works again afterwards', () => {
    const states = limitedBy(claude(), parseLines('claude', '2.1.197', 'usage-limit-stream'))
    expect(states.map(({ state }) => state)).toEqual(['working', 'limited', 'limited', 'working', 'working', 'idle'])
    const [, reply, result] = states
    expect(reply?.evidence.detail).toContain("You've hit your session limit")
    expect([reply?.until, result?.until].map((until) => (until ?? 0) % 60_000 === 0)).toEqual([false, false])
  })

  test('an older one names the minute', () => {
    const states = limitedBy(claude(), parseLines('claude', '2.1.9', 'usage-limit-stream'))
    expect(states.map(({ state }) => state)).toEqual(['working', 'limited', 'limited', 'working', 'working', 'idle'])
    expect((states[1]?.until ?? 1) % 60_000).toBe(0)
  })

  test('the reset of a limit that goes on at extra cost is not the one to wait for', () => {
    const session = claude()
    const info = { status: 'rejected', resetsAt: 1_794_811_029, isUsingOverage: true }
    session.receive(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: info }))
    const error = { type: 'assistant', error: 'rate_limit', message: { content: [{ text: "You've hit your limit" }] } }
    expect(session.receive(JSON.stringify(error))).toMatchObject([{ state: 'limited', until: null }])
  })

  test.each([0, 1_794_000_000, 1e300])('Claude Code: a reset at %d is none', (resetsAt) => {
    const session = claude()
    session.receive(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { status: 'rejected', resetsAt } }))
    const error = { type: 'assistant', error: 'rate_limit', message: { content: [{ text: "You've hit your limit" }] } }
    expect(session.receive(JSON.stringify(error))).toMatchObject([{ state: 'limited', until: null }])
  })

  test('Codex tells when its window begins anew', () => {
    const session = codexStream(
      () => Promise.resolve(),
      () => '1',
      now,
    )
    const lines = parseLines('codex', '0.166.0', 'usage-limit-app-server')
    const thread = /"threadId":"([^"]+)"/.exec(lines[0] ?? '')?.[1]
    session.receive(JSON.stringify({ id: 'rein:open:1', result: { thread: { id: thread } } }))
    const states = limitedBy(session, lines)
    expect(states.at(-1)).toMatchObject({ state: 'limited', until: 1_794_811_228_000 })
  })
})

test.each([
  ["You've hit your session limit · resets 3pm (UTC)", '2026-11-16T15:01Z'],
  ["You've hit your weekly limit · resets Nov 20, 5am (UTC)", '2026-11-20T05:01Z'],
  ["You're out of extra usage · resets 5pm (UTC)", '2026-11-16T17:01Z'],
  ['Claude AI usage limit reached|1794900000', '2026-11-17T07:20Z'],
])('Claude Code: %s', (message, until) => {
  expect(findLimit('rate_limit', message, at('2026-11-16T12:00Z'))).toEqual({ until: at(until) })
})

test.each([
  ['API Error: Rate limit reached', 'rate_limit'],
  ['API Error: Request rejected (429)', 'rate_limit'],
  ["You've hit your session limit · resets 3pm (UTC)", 'server_error'],
])('Claude Code: no limit: %s (%s)', (message, error) => {
  expect(findLimit(error, message, 0)).toBeNull()
})

test('a limit without a time', () => {
  expect(findLimit('rate_limit', "You've hit your monthly spend limit.", 0)).toEqual({ until: null })
})

describe('what Codex counts', () => {
  const now = at('2026-11-16T12:00Z')
  const error = { codexErrorInfo: 'usageLimitExceeded', message: 'Try again later.' }

  test.each([
    [
      'the later of two',
      { primary: { usedPercent: 100, resetsAt: 10 }, secondary: { usedPercent: 100, resetsAt: 20 } },
      20_000,
    ],
    [
      'only what is used up',
      { primary: { used_percent: 100, resets_at: 10 }, secondary: { used_percent: 9, resets_at: 20 } },
      10_000,
    ],
    ['no time', { primary: { usedPercent: 100, resetsAt: null }, secondary: { usedPercent: 100 } }, null],
    ['a time that is none', { primary: { usedPercent: 100, resetsAt: 'soon' } }, null],
    ['nothing', null, null],
  ])('%s', (_, limits, expected) => {
    expect(findReset(limits)).toBe(expected)
  })

  test.each([0, Number.NaN, Number.POSITIVE_INFINITY, now - 3_600_000])(
    'a window that begins at %d is unknown',
    (reset) => {
      expect(codexLimit(error, now, reset)).toEqual({ until: null })
    },
  )
})
