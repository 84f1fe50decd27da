import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anAgent, now } from '../../../test/support/builders.ts'
import { LaunchRequest } from '../../contract/agent.ts'
import { isDue, planRestart } from './restart.ts'

const settings = { isOn: true, firstWaitMs: 1000, longestWaitMs: 60_000, limit: 10 }
const crashed = (count: number, given = {}) =>
  anAgent({ crashes: Array.from({ length: count }, (_, index) => now - index), ...given })

test('waits 1, 2, 4 … 60 seconds, and then gives up', () => {
  const waits = Array.from({ length: 10 }, (_, index) => {
    const plan = planRestart(crashed(index), settings, now)
    return plan.kind === 'at' ? (plan.at - now) / 1000 : plan.kind
  })
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 'give_up'])
})

test('goes on for ever at the longest wait where no limit is set', () => {
  const plans = [1, 10, 3600].map((count) => planRestart(crashed(count), { ...settings, limit: 0 }, now))
  expect(plans).toEqual([2000, 60_000, 60_000].map((wait) => ({ kind: 'at', at: now + wait })))
})

test.each([
  ['the setting says so', crashed(1), { ...settings, isOn: false }],
  ['it was asked for', crashed(1, { request: LaunchRequest.parse({ cwd: '/', restart: false }) }), settings],
  ['somebody else started it', crashed(1, { host: 'outside' }), settings],
])('stays down when %s', (_, agent, given) => {
  expect(planRestart(agent, given, now)).toEqual({ kind: 'none' })
})

test('a moment is due when it has come, and when the clock was set back behind all waits', () => {
  fc.assert(
    fc.property(fc.integer({ min: -200_000, max: 200_000 }), (ahead) => {
      expect(isDue(now + ahead, 60_000, now)).toBe(ahead <= 0 || ahead > 60_000)
    }),
  )
})
