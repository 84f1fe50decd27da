import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { anAgent, aRecord, agentRef, now, person, stranger, tempDir } from '../../test/builders.ts'
import { startInbox } from '../../test/inbox-harness.ts'
import type { CadenceSettings } from '../agents/cadence.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import type { Agent, Health } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { RecordBody } from '../contract/record.ts'
import { claude } from '../drivers/claude/driver.ts'
import { Delivery } from './delivery.ts'
import { Healing } from './healing.ts'
import type { Journal } from './journal.ts'

beforeEach(() => {
  vi.useFakeTimers({ now })
  return () => vi.useRealTimers()
})

const cadence: CadenceSettings = {
  isEnabled: true,
  quietMs: 30_000,
  gatherMs: 3000,
  cooldownMs: 15_000,
  graceMs: 30_000,
  maxWaitMs: 120_000,
  pollMs: 0,
}

/** An agent that is idle for a while, and whose wakes are only written down. */
const start = (changed: Partial<CadenceSettings> = {}, given: Partial<Agent> = {}) => {
  const box = startInbox()
  Object.defineProperty(box.clock, 'now', { get: () => Date.now() })
  const wakes: { at: number; text: string | null }[] = []
  const refusal: { is: ReinError | null } = { is: null }
  const keyboard = { isBusy: false }
  let agent = anAgent({ since: now - 3_600_000, ...given })
  const change = (
    next: Partial<Agent>,
    why = aRecord('agent.paused', { isPaused: next.isPaused ?? false, isCutOff: false, reason: null }),
  ): void => {
    agent = { ...agent, ...next }
    delivery.onChange(agent, agent, why)
  }
  const supervisor = {
    get agents() {
      return [agent]
    },
    get: () => agent,
    capabilities: () => null,
    conversation: () => null,
    note: (_: string, type: 'agent.health', body: RecordBody<'agent.health'>) =>
      change({ health: body.health }, aRecord(type, body)),
    wake: async (_: string, text: string | null, canWait: boolean) => {
      if (refusal.is !== null) throw refusal.is
      if (keyboard.isBusy && canWait) throw new ReinError('refused', 'human_typing')
      wakes.push({ at: (Date.now() - now) / 1000, text })
    },
  } as unknown as Supervisor
  const journal = { write: () => undefined } as unknown as Journal
  const dir = tempDir()
  const healing = new Healing({
    supervisor,
    journal,
    now: () => Date.now(),
    driver: () => claude,
    agentDir: () => dir,
    rein: '/state/bin/rein',
    recoveryAfter: 5,
    refresh: async () => false,
  })
  const delivery = new Delivery({
    inbox: box.inbox,
    supervisor,
    journal,
    healing,
    mayHear: () => true,
    fullness: () => null,
    pollMs: () => null,
    now: () => Date.now(),
    cadence: { ...cadence, ...changed },
  })
  onTestFinished(() => delivery.stop())
  delivery.start()
  const tell: typeof box.tell = async (text, more) => {
    const item = await box.tell(text, more)
    delivery.consider(agentRef.id)
    await vi.advanceTimersByTimeAsync(0)
    return item
  }
  const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000)
  return {
    ...box,
    tell,
    wakes,
    refusal,
    keyboard,
    change,
    pass,
    delivery,
    agent: () => agent,
    health: () => agent.health,
  }
}

const healthy: Health = { hooks: 'heard', failures: 0, healed: 0 }
const givenUp: Partial<Agent> = { health: { hooks: 'silent', failures: 6, healed: 0 } }
const launched: RecordBody<'agent.launched'> = {
  process: { pid: 4711, startTime: '12345' },
  host: 'stream',
  version: '2.1.197',
  cwd: '/home/dev/project',
  program: null,
  conversation: null,
  transcript: null,
  request: { cwd: '/home/dev/project', env: {}, args: [] },
}

describe('cadence', () => {
  test('a person is heard at once; what other agents say is gathered, and waits for the cooldown', async () => {
    const { tell, inbox, wakes, pass, delivery } = start()
    const first = await tell('Now.')
    expect(wakes).toEqual([{ at: 0, text: null }])
    delivery.onProgress(agentRef.id)
    await inbox.cancel(first, person)
    await tell('Soon.', { sender: stranger })
    await pass(20)
    expect(wakes.map(({ at }) => at)).toEqual([0, 15])
  })

  test('messages of other agents alone are one wake', async () => {
    const { tell, wakes, pass } = start()
    await tell('One.', { sender: stranger })
    await pass(2)
    await tell('Two.', { sender: stranger })
    await pass(20)
    expect(wakes).toEqual([{ at: 3, text: null }])
  })

  test('what an agent must not hear wakes it for nothing, and keeps nobody else out', async () => {
    const { tell, inbox, wakes, pass } = start()
    const origin = { channel: 'phone', sender: null, at: now, claimedAt: null }
    const message = await tell('From outside.', { sender: { kind: 'channel', name: 'phone', sender: null }, origin })
    inbox.hold(message, 'bypass_mode')
    await pass(600)
    expect([wakes.length, inbox.current(message).steps.at(-1)?.reason]).toEqual([0, 'bypass_mode'])
    await tell('From a person.')
    expect(wakes).toHaveLength(1)
  })

  test('an idle agent is asked to look around only if that is wanted', async () => {
    const { wakes, pass } = start({ pollMs: 300_000 }, { since: now })
    await pass(299)
    expect(wakes).toEqual([])
    await pass(2)
    expect(wakes.map(({ text }) => text)).toEqual([expect.stringContaining('look around')])
  })

  test('one that is paused or limited is left alone, and its receipts say so', async () => {
    const { tell, wakes, change, receipt } = start({}, { state: 'paused', isPaused: true })
    const { directive } = await tell('Later.')
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'paused' })
    change({ state: 'idle', isPaused: false, since: now - 1000 })
    await vi.advanceTimersByTimeAsync(0)
    expect(wakes).toHaveLength(1)
    change({ state: 'limited' })
    const next = await tell('After the limit.')
    expect(receipt(next.directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'limited' })
  })

  test('what was held for another reason says why it is held now', async () => {
    const { tell, change, receipt, refusal } = start()
    refusal.is = new ReinError('refused', 'draft')
    const { directive } = await tell('Later.')
    change({ state: 'limited' })
    change({ state: 'limited' })
    expect(receipt(directive.id).steps.map(({ reason }) => reason)).toEqual([undefined, 'draft', 'limited'])
  })
})

describe('while a person is at the terminal', () => {
  const other = { kind: 'agent' as const, id: 'agt_9', handle: 'eve', project: agentRef.project }

  test('what can wait waits, and comes when the person has left', async () => {
    const { tell, wakes, pass, keyboard, inbox } = start()
    keyboard.isBusy = true
    const item = await tell('Look.', { sender: other })
    await pass(20)
    expect([wakes, inbox.current(item).steps.at(-1)?.reason]).toEqual([[], 'human_typing'])
    keyboard.isBusy = false
    await pass(25)
    expect(wakes).toHaveLength(1)
  })

  test.each([
    ['a person', {}],
    ['something urgent', { sender: other, priority: 'urgent' as const }],
  ])('%s does not', async (_, more) => {
    const { tell, wakes, keyboard } = start()
    keyboard.isBusy = true
    await tell('Look.', more)
    expect(wakes).toHaveLength(1)
  })
})

describe('wakes in vain', () => {
  test('are counted; then everything is explained once; then it is held', async () => {
    const { tell, wakes, pass, receipt, health } = start()
    const { directive } = await tell('Are you there?')
    await pass(1109)
    expect(receipt(directive.id).state).toBe('queued')
    await pass(91)
    expect(wakes.map(({ at }) => at)).toEqual([0, 30, 90, 210, 510, 1110])
    expect(wakes.at(-1)?.text).toContain('/state/bin/rein inbox')
    expect(wakes.slice(0, -1).map(({ text }) => text)).toEqual(Array(5).fill(null))
    expect(health()).toEqual({ hooks: 'silent', failures: 5, healed: 0 })
    await pass(600)
    expect(wakes).toHaveLength(6)
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'no_evidence' })
  })

  test('what is told to one that was given up is held at once, and so it is said', async () => {
    const { tell, wakes, receipt, delivery, agent } = start({}, givenUp)
    const { directive } = await tell('Are you there?')
    expect(wakes).toEqual([])
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'no_evidence' })
    expect(delivery.describe(agent(), 'normal')).toContain('when its hooks are heard again')
  })

  test.each([
    ['its hooks are heard again', () => aRecord('agent.health', { health: healthy, reason: 'Stop' })],
    ['it was started again', () => aRecord('agent.launched', launched)],
  ])('one that was given up is woken for what was held when %s', async (_, why) => {
    const { tell, wakes, change, pass } = start({}, givenUp)
    await tell('Are you there?')
    change({ health: healthy }, why())
    await pass(1)
    expect(wakes).toEqual([{ at: 0, text: null }])
  })

  test('are forgotten with the first one that is not', async () => {
    const { tell, wakes, pass, health, delivery } = start()
    await tell('Are you there?')
    await pass(100)
    expect(health().failures).toBe(2)
    delivery.onProgress(agentRef.id)
    expect(health().failures).toBe(0)
    expect(wakes).toHaveLength(3)
  })

  test('are not those that could not be tried: they are tried again soon', async () => {
    const { tell, wakes, pass, receipt, health, refusal } = start()
    refusal.is = new ReinError('refused', 'no_waiter')
    const { directive } = await tell('Are you there?')
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'no_waiter' })
    await pass(5)
    refusal.is = null
    await pass(10)
    expect(wakes.map(({ at }) => at)).toEqual([9])
    expect(health().failures).toBe(0)
  })
})
