import { describe, expect, test } from 'vitest'
import type { LiveEvent } from '../../contract/live.ts'
import { firstLook, heed, isOver, isPastTurns } from './look.ts'

const reply: LiveEvent = { kind: 'reply', told: 'begin' }
const replied: LiveEvent = { kind: 'reply', told: 'end' }
const text: LiveEvent = { kind: 'text', text: 'So.' }
const tool = (id: string, isSubagent = false): LiveEvent => ({ kind: 'tool', id, name: 'Bash', input: {}, isSubagent })
const result = (id: string): LiveEvent => ({ kind: 'tool_result', id, text: '', isError: false })
const end: LiveEvent = { kind: 'ended', reason: 'success', isError: false, wasInterrupted: false }

/** After how many of these events its model would be asked more than twice; -1 is never. */
const pastAt = (events: LiveEvent[]): number => {
  let look = firstLook
  return events.findIndex((event) => {
    look = heed(look, event)
    return isPastTurns(look, 2)
  })
}

describe('a limit of two replies', () => {
  test.each<[string, number, LiveEvent[]]>([
    ['the second one calls a tool, which has ended', 5, [reply, tool('a'), result('a'), reply, tool('b'), result('b')]],
    ['of two calls of it both have ended', 5, [reply, reply, tool('a'), tool('b'), result('b'), result('a')]],
    ['a reply is told at its end', 5, [tool('a'), replied, result('a'), tool('b'), replied, result('b')]],
    ['at its end, after the result', 5, [tool('a'), result('a'), replied, tool('b'), result('b'), replied]],
    ['a third one begins', 3, [reply, reply, text, reply]],
    ['the second one only says something', -1, [reply, tool('a'), result('a'), reply, text, end]],
    ['a sub-agent calls a tool', -1, [reply, reply, tool('a', true), result('a')]],
    ['the turn has ended', -1, [reply, tool('a'), reply, end, result('a')]],
  ])('%s: %i', (_what, at, events) => {
    expect(pastAt(events)).toBe(at)
  })
})

test('while a sub-agent works in the background it is not over, and neither before the turn that tells of its end', () => {
  const background = (running: number): LiveEvent => ({ kind: 'background', running })
  const idle: LiveEvent = { kind: 'state', state: 'idle', question: null, reason: '' }
  const overAfter = (...events: LiveEvent[]): boolean => isOver(events.reduce(heed, firstLook))
  expect(overAfter(idle, end)).toBe(true)
  expect(overAfter(background(1), idle, end)).toBe(false)
  expect(overAfter(background(1), idle, end, background(0))).toBe(false)
  expect(overAfter(background(1), idle, end, background(0), text, end)).toBe(true)
  expect(overAfter(background(1), background(0), idle, end)).toBe(true)
})

test('a turn in the middle of which it is started again has come to its end', () => {
  const state = (name: 'working' | 'starting'): LiveEvent => ({
    kind: 'state',
    state: name,
    question: null,
    reason: '',
  })
  expect([state('starting'), state('working'), text, state('starting')].reduce(heed, firstLook)).toMatchObject({
    end: { wasMoved: true, wasInterrupted: false },
    text: '',
  })
})
