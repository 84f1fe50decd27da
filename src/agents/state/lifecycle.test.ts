import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anAgent, aRecord, now } from '../../../test/support/builders.ts'
import type { Agent } from '../../contract/agent.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { CurrentAgent } from './current-agent.ts'
import { evolve, isAgentRecord } from './evolve-agent.ts'
import { continueTexts, Lifecycle, type Relaunch } from './lifecycle.ts'

beforeEach(() => void vi.useFakeTimers({ now }))
afterEach(() => void vi.useRealTimers())

const evidence = { source: 'process' as const, detail: 'exit code 1' }

const live = (given: Partial<Agent> = {}, bootedAt: number | (() => number) = 0) => {
  const launches: Relaunch[] = []
  const said: string[] = []
  let agent = anAgent({ host: 'tmux', ...given })
  let failure: Error | null = null
  const current: Pick<CurrentAgent, 'agent' | 'note'> = {
    get agent() {
      return agent
    },
    note: (type, body) => {
      const record: AnyRecord = { ...aRecord(type, body, { at: Date.now() }), seq: 1 }
      if (isAgentRecord(record)) agent = evolve(agent, record) ?? agent
    },
  }
  const ports = {
    restart: { isOn: true, firstWaitMs: 1000, longestWaitMs: 60_000, limit: 4 },
    now: () => Date.now(),
    bootedAt: () => (typeof bootedAt === 'number' ? bootedAt : bootedAt()),
    say: (_: Agent, text: string) => void said.push(text),
    onTrouble: () => undefined,
  }
  const lifecycle = new Lifecycle(current, ports, async (how) => {
    launches.push(how)
    if (failure !== null) throw failure
    agent = { ...agent, state: 'working', until: null }
  })
  lifecycle.open()
  return { lifecycle, launches, said, agent: () => agent, fail: (cause: Error | null) => void (failure = cause) }
}

test('a crashed agent comes back after its wait, each time a longer one', async () => {
  const { lifecycle, launches, agent } = live({ state: 'idle' })
  for (const wait of [1000, 2000, 4000]) {
    lifecycle.crashed(evidence)
    expect(agent()).toMatchObject({ state: 'crashed', until: Date.now() + wait })
    await vi.advanceTimersByTimeAsync(wait - 1)
    const before = launches.length
    await vi.advanceTimersByTimeAsync(1)
    expect(launches.length - before).toBe(1)
  }
})

test('one that crashes again and again is given up, visibly', async () => {
  const { lifecycle, agent } = live({ state: 'idle', crashes: [now - 3, now - 2, now - 1] })
  lifecycle.crashed(evidence)
  expect(agent()).toMatchObject({ state: 'looping', until: null, process: null })
  expect(agent().evidence?.detail).toMatch(/4 times within an hour.*exit code 1/)
})

test('one that somebody is just starting by hand is left to them', async () => {
  const { lifecycle, agent, launches } = live({ state: 'starting' })
  lifecycle.isAttended = true
  lifecycle.crashed(evidence)
  await vi.advanceTimersByTimeAsync(120_000)
  expect([agent().state, agent().until, launches]).toEqual(['crashed', null, []])
})

test('what was a day ago is forgiven', () => {
  const { lifecycle, agent } = live({ state: 'idle', crashes: [now - 86_400_000, now - 86_400_001, now - 86_400_002] })
  lifecycle.crashed(evidence)
  expect(agent()).toMatchObject({ state: 'crashed', until: now + 1000 })
})

test('one that was in the middle of something is told to go on; an idle one is not', async () => {
  const working = live({ state: 'working' })
  working.lifecycle.crashed(evidence)
  const idle = live({ state: 'idle' })
  idle.lifecycle.crashed(evidence)
  await vi.advanceTimersByTimeAsync(1000)
  expect([...working.launches, ...idle.launches]).toEqual([{ prompt: continueTexts.crash }, {}])
})

test('a start that fails counts like a crash', async () => {
  const { lifecycle, agent, fail } = live({ state: 'idle' })
  fail(new Error('the CLI is gone'))
  lifecycle.crashed(evidence)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(agent()).toMatchObject({ state: 'looping', evidence: { detail: expect.stringContaining('the CLI is gone') } })
})

test('after the machine was restarted a person decides', async () => {
  const { lifecycle, agent, launches } = live({ state: 'working', since: now - 1000 }, now - 500)
  lifecycle.crashed(evidence)
  // Its state is from before the boot; what comes now is not.
  expect(agent()).toMatchObject({ state: 'crashed', wasAtWork: true })
  await vi.advanceTimersByTimeAsync(120_000)
  expect(launches).toEqual([])
})

test('what an earlier daemon had planned is done by the next one', async () => {
  const { lifecycle, launches } = live({ state: 'crashed', until: now - 5000 })
  lifecycle.schedule()
  await vi.advanceTimersByTimeAsync(0)
  expect(launches).toHaveLength(1)
})

test('a clock that was set back does not put a restart off for ever', () => {
  const { lifecycle, launches } = live({ state: 'crashed', until: now + 86_400_000 })
  lifecycle.tick()
  expect(launches).toHaveLength(1)
})

test('a clock that was set ahead is no restart of the machine', async () => {
  const uptime = 3_600_000
  const { lifecycle, launches } = live({ state: 'idle' }, () => Date.now() - uptime)
  vi.setSystemTime(now + 86_400_000)
  lifecycle.crashed(evidence)
  await vi.advanceTimersByTimeAsync(1000)
  expect(launches).toHaveLength(1)
})

test('after a limit it goes on, in a turn if it was in one', async () => {
  const busy = live({ state: 'limited', until: now + 5000, wasAtWork: true })
  const idle = live({ state: 'limited', until: now + 5000 })
  for (const { lifecycle } of [busy, idle]) lifecycle.schedule()
  await vi.advanceTimersByTimeAsync(5000)
  expect([busy.agent().state, idle.agent().state]).toEqual(['idle', 'idle'])
  expect([...busy.said, ...idle.said]).toEqual([continueTexts.limit])
})

test('a limit without a known end is tried again after a while', () => {
  const { lifecycle, agent } = live({ state: 'limited', until: null, since: now - 16 * 60_000 })
  lifecycle.tick()
  expect(agent().state).toBe('idle')
})
