import { describe, expect, test } from 'vitest'
import { claude } from '../../drivers/claude/driver.ts'
import { decidedOtherwise, refusedIn } from './calls.ts'
import { compareFiles, compareTurns, notReceived } from './compare.ts'
import type { Heard, RecordedTurn } from './recorded-turn.ts'

const heard = (given: Partial<Heard>): Heard => ({
  kind: 'result',
  text: '',
  call: null,
  isError: false,
  raw: {},
  ...given,
})
const bash = (id: string, command: string) => ({ type: 'call' as const, id, name: 'Bash', input: { command } })
const turn = (results: Partial<Heard>[], prompt = 'Go'): RecordedTurn => ({
  prompt,
  follows: null,
  saidAt: [1, 2],
  endedAt: 3,
  replies: [[bash('c1', 'ls'), bash('c2', 'pwd')], [{ type: 'text', text: 'done' }]],
  heard: [[], results.map(heard), []],
})
const two = [
  { call: 'c1', text: 'a\nb' },
  { call: 'c2', text: '/src/shop' },
]

describe('what the model heard', () => {
  test('the same is the same, in whatever order results came, and whatever their ids, times and durations', () => {
    const now = [
      { call: 'toolu_01c2', text: '/src/shop' },
      { call: 'toolu_01c1', text: 'a\nb' },
    ]
    expect(compareTurns(turn(two), turn(now))).toEqual({ differences: [], results: { equal: 2, different: 0 } })
    const said = (text: string): RecordedTurn => turn([{ call: 'c1', text }])
    const [then, later] = [
      'at 2026-11-16T10:00:00.123Z, 12:30:01, in 1.2 s [main 1a2b3c4] 5b3b98a3-8a34-455e-90ba-adc1b188ace6',
      'at 2026-11-17T11:10:00.9Z, 09:00:59, in 35 ms [main 99ff00e] 039f7b57-44b1-4cae-83ce-bdadf8fb8eda',
    ]
    expect(compareTurns(said(then), said(later)).differences).toEqual([])
    const task = (id: string, at: string, count: number): RecordedTurn =>
      said(
        `Command running in background with ID: ${id}. Output is being written to: /tmp/claude-0/${at}/tasks/${id}.output. <task-id>${id}</task-id> <usage><subagent_tokens>${count}</subagent_tokens><duration_ms>${count}</duration_ms></usage>`,
      )
    expect(compareTurns(task('b581n1c52', '-home-ada', 10), task('bqru0pi4d', '-tmp-x', 999)).differences).toEqual([])
  })

  test('a result that differs is named, from the line in which it does', () => {
    const now = [{ call: 'c1', text: 'a\nc' }, ...two.slice(1)]
    expect(compareTurns(turn(two), turn(now))).toEqual({
      differences: [{ request: 2, what: 'the result of Bash', recorded: '… b', replayed: '… c' }],
      results: { equal: 1, different: 1 },
    })
  })

  test('what is missing or new is named; what Rein itself said is left out', () => {
    const rein = { kind: 'hook context' as const, text: '<rein-directive id="dir_1">' }
    const tabs = { kind: 'hook context' as const, text: 'Use tabs.' }
    const { differences } = compareTurns(turn([...two, rein]), turn([...two.slice(1), tabs]))
    expect(differences).toEqual([
      { request: 2, what: 'the result of Bash', recorded: 'a\nb', replayed: null },
      { request: 2, what: 'a hook context', recorded: null, replayed: 'Use tabs.' },
    ])
  })

  test('another prompt is a difference of the first request', () => {
    expect(compareTurns(turn(two), turn(two, 'Stop')).differences).toEqual([
      { request: 1, what: 'the prompt', recorded: 'Go', replayed: 'Stop' },
    ])
  })

  test('what stands in the transcript must have reached the model', () => {
    expect(notReceived(turn(two), ['Go', 'Go a\nb /src/shop'])).toEqual([])
    expect(notReceived(turn(two), ['Go', 'Go /src/shop'])).toMatchObject([
      { request: 2, what: 'a result that stands in the transcript', recorded: 'a\nb', replayed: null },
    ])
  })
})

describe('calls', () => {
  const no = "The user's policy for this agent denies this (Bash)."
  const failed = { call: 'c1', text: 'Exit code 2\nls: no such file', isError: true }
  const refused = { call: 'c1', text: no, isError: true }

  test('one that failed was run; one that was refused was not', () => {
    expect(refusedIn(claude, turn([failed]))).toEqual([])
    expect(refusedIn(claude, turn([refused])).map(({ id }) => id)).toEqual(['c1'])
  })

  test('one that is refused now is denied, the other way round it is allowed', () => {
    expect(decidedOtherwise(claude, turn([failed]), turn([refused]))).toEqual([
      { tool: 'Bash', call: 'ls', what: 'denied', why: no },
    ])
    expect(decidedOtherwise(claude, turn([refused]), turn([failed]))).toMatchObject([{ what: 'allowed' }])
    expect(decidedOtherwise(claude, turn([refused]), turn([refused]))).toEqual([])
  })
})

test('files are missing, extra or different', () => {
  const recorded = new Map([
    ['a', '1'],
    ['b', '1'],
    ['c', '1'],
  ])
  const replayed = new Map([
    ['a', '1'],
    ['b', '2'],
    ['d', '1'],
  ])
  expect(compareFiles(recorded, replayed)).toEqual([
    { path: 'b', kind: 'different' },
    { path: 'c', kind: 'missing' },
    { path: 'd', kind: 'extra' },
  ])
})
