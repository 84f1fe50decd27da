import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { anAgent, now } from '../../../test/support/builders.ts'
import type { HostKind } from '../../contract/agent.ts'
import type { HostedAgent, WaiterState } from '../../contract/host.ts'
import { pollSentence, wakeSentence } from '../../contract/wake.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { startTurn, wayToWake } from './wake.ts'

test.each([wakeSentence, pollSentence])('a sentence is one line that says who speaks: %s', (sentence) => {
  expect(sentence).toMatch(/^Rein: [^\n]+$/)
})

test('a terminal is woken by the same sentence', () => {
  const waiter = readFileSync(new URL('../../../bin/rein-wait', import.meta.url), 'utf8')
  expect(/^sentence='(.+)'$/m.exec(waiter)?.[1]).toBe(wakeSentence)
})

describe('one whose CLI starts a waiter', () => {
  /** What is done to wake it, and how that is announced. */
  const wake = async (host: HostKind, waiter: WaiterState, idleMs = 60_000) => {
    const did: string[] = []
    const hosted = {
      waiter: () => waiter,
      wakeWaiter: () => did.push('waiter') > 0,
      prompt: async (text: string) => void did.push(text),
    } as unknown as HostedAgent
    const agent = anAgent({ host, version: '2.1.325', since: now - idleMs })
    await startTurn(claude, agent, hosted, null, now).catch((cause: Error) => did.push(cause.message))
    return [wayToWake(claude, agent, hosted), ...did]
  }

  test.each<[HostKind, WaiterState, string[]]>([
    ['tmux', 'listens', ['waiter', 'waiter']],
    ['pty', 'listens', ['waiter', 'waiter']],
    ['outside', 'listens', ['waiter', 'waiter']],
    ['tmux', 'died', ['keys_instead', wakeSentence]],
    ['pty', 'died', ['keys_instead', wakeSentence]],
    ['tmux', 'none', ['keys_instead', wakeSentence]],
    ['outside', 'died', ['none', 'no_waiter']],
    ['outside', 'none', ['none', 'no_waiter']],
    ['stream', 'none', ['protocol', wakeSentence]],
  ])('in %s, where it %s', async (host, waiter, done) => {
    expect(await wake(host, waiter)).toEqual(done)
  })

  test('is not typed to while its waiter may still be on its way, unless that has died', async () => {
    expect(await wake('tmux', 'none', 1000)).toEqual(['keys_instead', 'no_waiter'])
    expect(await wake('tmux', 'died', 1000)).toEqual(['keys_instead', wakeSentence])
  })
})
