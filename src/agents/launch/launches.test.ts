import { expect, test } from 'vitest'
import { anAgent } from '../../../test/support/builders.ts'
import { highestMark } from '../../base/util/lock-limit.ts'
import { Launches } from './launches.ts'

test('a launch counts from its beginning to the end of the agent, and no other does', () => {
  const launches = new Launches()
  const agent = (state: 'stopped' | 'idle', launch: number | null) => anAgent({ state, launch })
  const first = launches.begin('agt_1')
  expect(launches.isCurrent(agent('stopped', null), first)).toBe(true)
  expect(launches.isCurrent(agent('stopped', null), first - 1)).toBe(false)
  launches.end('agt_1')
  expect(launches.isCurrent(agent('stopped', null), first)).toBe(false)
  expect(launches.isCurrent(agent('idle', first), first)).toBe(true)
  expect(launches.isCurrent(agent('stopped', first), first)).toBe(false)
  const second = launches.begin('agt_1')
  expect(launches.isCurrent(agent('idle', first), first)).toBe(false)
  expect(second).not.toBe(first)
})

test('one that an earlier version has launched has the token that it was given', () => {
  expect(new Launches().isCurrent(anAgent({ launch: null }), null)).toBe(true)
})

test('what is started in a launch has its number as a limit, and only that', () => {
  const launches = new Launches()
  const plan = {
    command: '/bin/cli',
    args: ['a b'],
    env: {},
    cwd: '/',
    conversation: null,
    firstPrompt: null,
    files: [],
  }
  expect(launches.mark('agt_1', plan)).toBe(plan)
  const launch = launches.begin('agt_1')
  expect(launch).toBeLessThan(highestMark)
  expect(launches.mark('agt_1', plan).args.slice(-3)).toEqual([String(launch), '/bin/cli', 'a b'])
})
