import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '../contract/live.ts'
import { drivers, findDriver } from './registry.ts'

const recorded: Record<string, string> = {
  claude: '2.1.197',
  codex: '0.166.0',
  copilot: '1.0.102',
  gemini: '0.61.0',
  opencode: '1.18.33',
}

const fixture = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, `../../test/fixtures/${name}/${recorded[name]}/live.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')

/** As the host does it: every line is received, and shown from `from` on. */
const shown = (name: string, lines = fixture(name), from = 0): LiveEvent[] => {
  // An old process that was taken over: nothing is said to it.
  const session = findDriver(name).stream(() => Promise.resolve())
  return lines.flatMap((line, index) => {
    session.receive(line)
    return index < from ? [] : session.live(line)
  })
}

const ofKind = <K extends LiveEvent['kind']>(events: LiveEvent[], kind: K): Extract<LiveEvent, { kind: K }>[] =>
  events.filter((event): event is Extract<LiveEvent, { kind: K }> => event.kind === kind)

const said = (events: LiveEvent[], kind: 'text' | 'thinking'): string =>
  events.map((event) => (event.kind === kind ? event.text : '')).join('')

test('there is a recording of each driver', () => {
  expect(Object.keys(recorded).toSorted()).toEqual(drivers.map(({ name }) => name).toSorted())
})

describe.each(Object.keys(recorded))('%s, as it was recorded', (name) => {
  const events = shown(name)

  test('text comes in pieces, and once', () => {
    expect(said(events, 'text')).toBe(name === 'opencode' ? 'one two three four' : 'one two three fourok')
    expect(ofKind(events, 'text').length).toBeGreaterThanOrEqual(4)
    expect(said(events, 'thinking').replaceAll(/[*\s]/g, '')).toBe('Letmethinkofit')
  })

  test('a tool is called once, with what it is to do, and has one result', () => {
    const [call, ...others] = ofKind(events, 'tool')
    expect(others).toEqual([])
    expect(JSON.stringify(call?.input)).toMatch(/rein ack dir_|echo hi/)
    expect(call?.isSubagent).toBe(false)
    const results = ofKind(events, 'tool_result')
    expect(results.map(({ id, isError }) => [id, isError])).toEqual([[call?.id, false]])
    // Gemini does not say what a command printed.
    expect(results[0]?.text).toMatch(name === 'gemini' ? /^$/ : /acked|hi/)
  })

  test('a turn ends once, and says what it took', () => {
    const ends = ofKind(events, 'ended')
    expect(ends).toHaveLength(name === 'opencode' ? 1 : 2)
    expect(ends.every(({ isError }) => !isError)).toBe(true)
    for (const { usage } of ofKind(events, 'usage').slice(-1)) {
      expect(usage.inputTokens).toBeGreaterThan(5000)
      expect(usage.outputTokens).toBeGreaterThan(10)
    }
  })

  test('whoever comes in the middle of a word gets the rest of it, and nothing twice', () => {
    const lines = fixture(name)
    const first = lines.findIndex((line) => shown(name, [...opening(lines), line]).some(({ kind }) => kind === 'text'))
    const late = said(shown(name, lines, first + 1), 'text')
    expect(late).toBe(said(events, 'text').slice('one'.length))
  })

  test('no line can break it', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...fixture(name)), fc.json(), fc.string())), (lines) => {
        expect(() => shown(name, lines)).not.toThrow()
      }),
      { numRuns: 30 },
    )
  })
})

/** What opens the conversation, without which nothing belongs to it. */
const opening = (lines: string[]): string[] => lines.filter((line) => line.includes('rein:open:'))

/** What each says of a turn that was cut off, in place of one that ran its course. */
test.each([
  ['claude', '"terminal_reason":"completed"', '"terminal_reason":"aborted_tools"'],
  ['codex', '"status":"completed","error"', '"status":"interrupted","error"'],
  ['copilot', '"stopReason":"end_turn"', '"stopReason":"cancelled"'],
  ['gemini', '"stopReason":"end_turn"', '"stopReason":"cancelled"'],
  ['opencode', '"stopReason":"end_turn"', '"stopReason":"cancelled"'],
])('%s: a turn that was interrupted says so, and is no error', (name, whole, cutOff) => {
  expect(ofKind(shown(name), 'ended').map(({ wasInterrupted }) => wasInterrupted)).not.toContain(true)
  const ends = ofKind(
    shown(
      name,
      fixture(name).map((line) => line.replace(whole, cutOff)),
    ),
    'ended',
  )
  expect(ends.at(-1)).toMatchObject({ wasInterrupted: true, isError: false })
})

test('who says what it cost', () => {
  const costs = Object.keys(recorded).map((name) => [
    name,
    ofKind(shown(name), 'usage').some(({ usage }) => usage.costUsd !== undefined),
  ])
  expect(costs).toEqual([
    ['claude', true],
    ['codex', false],
    ['copilot', false],
    ['gemini', false],
    ['opencode', true],
  ])
})

test('the model is named', () => {
  expect(Object.keys(recorded).map((name) => ofKind(shown(name), 'model')[0]?.model)).toEqual([
    'claude-opus-4-8[1m]',
    'scripted',
    undefined,
    'auto',
    'scripted/scripted',
  ])
})

describe('what was not recorded', () => {
  const claude = (...messages: object[]) =>
    shown(
      'claude',
      messages.map((one) => JSON.stringify(one)),
    )

  test('without pieces the whole message is told', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'all of it' },
    ]
    expect(claude({ type: 'assistant', message: { id: 'm1', content } })).toEqual([
      { kind: 'reply', told: 'begin' },
      { kind: 'thinking', text: 'hm' },
      { kind: 'text', text: 'all of it' },
    ])
  })

  test('of a sub-agent the tools are shown, and not its words', () => {
    const content = [
      { type: 'text', text: 'inner' },
      { type: 'tool_use', id: 't', name: 'Read', input: { file_path: 'a' } },
    ]
    expect(claude({ type: 'assistant', parent_tool_use_id: 'p', message: { content } })).toEqual([
      { kind: 'tool', id: 't', name: 'Read', input: { file_path: 'a' }, isSubagent: true },
    ])
  })

  test('what nobody knows is passed through', () => {
    const raw = { type: 'from_the_future', x: 1 }
    expect(claude(raw)).toEqual([{ kind: 'other', raw }])
  })

  test('a turn that failed says so', () => {
    const refused = { type: 'result', subtype: 'success', is_error: true, result: 'API Error: 529\nmore' }
    const failed = { kind: 'ended', isError: true, wasInterrupted: false }
    expect(claude(refused).at(-1)).toEqual({ ...failed, reason: 'API Error: 529' })
    expect(claude({ type: 'result', subtype: 'error_max_budget_usd', is_error: true }).at(-1)).toEqual({
      ...failed,
      reason: 'error_max_budget_usd',
    })
  })
})
