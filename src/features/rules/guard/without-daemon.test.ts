import { expect, test } from 'vitest'
import { Rule } from '../../../contract/rule.ts'
import { holdsWithoutDaemon } from './without-daemon.ts'

const holds = (given: object): boolean => holdsWithoutDaemon(Rule.parse({ name: 'a', on: 'shell', ...given }))

test.each([
  [{ when: { regex: 'x' } }],
  [{ when: { regex: 'x' }, action: 'ask' }],
  [{ when: { state: { branch: 'main' } } }],
  [{ when: { ran: { pattern: 'x' } }, guard: true }],
])('%j holds while no daemon answers', (given) => {
  expect(holds(given)).toBe(true)
})

test.each([
  [{ when: { regex: 'x' }, action: 'warn' }],
  [{ when: { regex: 'x' }, once: 'turn' }],
  [{ when: { not: { ran: { pattern: 'x' } } } }],
  [{ when: { any: [{ regex: 'x' }, { state: { lease: 'none' } }] } }],
  [{ when: { all: [{ regex: 'x' }, { state: { subagent: true } }] } }],
])('%j needs what only a daemon knows, or stops nothing', (given) => {
  expect(holds(given)).toBe(false)
})
