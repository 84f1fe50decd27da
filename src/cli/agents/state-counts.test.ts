import { expect, test } from 'vitest'
import type { AgentState } from '../../contract/agent.ts'
import { statusSegment } from './state-counts.ts'

const segment = (...states: AgentState[]): string => statusSegment(states.map((state) => ({ state })))

test.each([
  ['', []],
  ['2 working · 1 asks', ['working', 'awaiting_answer', 'idle', 'starting']],
  ['1 asks · 2 crashed · 1 limited · 1 paused', ['paused', 'limited', 'looping', 'crashed', 'awaiting_permission']],
  ['2 idle', ['idle', 'idle', 'stopped']],
] as const)('%s', (expected, states) => {
  expect(segment(...states)).toBe(expected)
})
