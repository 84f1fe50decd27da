import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anAgent, now } from '../../test/builders.ts'
import { agentStates } from '../contract/agent.ts'
import { wakeDelay, wakeSentence } from './wake.ts'

const quietMs = 30_000
const rested = { lastWakeAt: 0, fruitless: 0 }
const hour = 3_600_000
const longAgo = now - 24 * hour

test('only an idle agent is woken', () => {
  const states = agentStates.filter((state) => wakeDelay(anAgent({ state }), rested, quietMs, now) !== null)
  expect(states).toEqual(['idle'])
})

test('one that is idle for a while, at once; one that has just stopped, when its transcript is written', () => {
  expect(wakeDelay(anAgent({ since: longAgo }), rested, quietMs, now)).toBe(0)
  expect(wakeDelay(anAgent({ since: now }), rested, quietMs, now)).toBeGreaterThan(0)
})

test('not soon after a person interrupted it', () => {
  const agent = anAgent({ since: longAgo, interruptedAt: now - 10_000 })
  expect(wakeDelay(agent, rested, quietMs, now)).toBe(20_000)
  expect(wakeDelay(agent, rested, quietMs, now + 20_000)).toBe(0)
})

test('each wake that led to nothing makes the next one wait longer, up to a limit', () => {
  const waits = [0, 1, 2, 3, 4, 5, 50].map((fruitless) =>
    wakeDelay(anAgent({ since: longAgo }), { lastWakeAt: now, fruitless }, quietMs, now),
  )
  expect(waits).toEqual([0, 30_000, 60_000, 120_000, 300_000, 600_000, 600_000])
})

test('whatever the wall clock did: never negative, never longer than the longest wait', () => {
  const moment = fc.integer({ min: 0, max: 2 * now })
  fc.assert(
    fc.property(
      moment,
      moment,
      fc.option(moment),
      fc.nat({ max: 9 }),
      (since, lastWakeAt, interruptedAt, fruitless) => {
        const delay = wakeDelay(anAgent({ since, interruptedAt }), { lastWakeAt, fruitless }, quietMs, now)
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThanOrEqual(600_000)
      },
    ),
  )
})

test('the sentence is one line without anything to obey', () => {
  expect(wakeSentence).toMatch(/^Rein: [^\n]+$/)
})

test('a terminal is woken by the same sentence', () => {
  const waiter = readFileSync(new URL('../../bin/rein-wait', import.meta.url), 'utf8')
  expect(/^sentence='(.+)'$/m.exec(waiter)?.[1]).toBe(wakeSentence)
})
