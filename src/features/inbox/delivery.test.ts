import { beforeEach, describe, expect, test, vi } from 'vitest'
import { aRecord, agentRef, now, person, stranger } from '../../../test/support/builders.ts'
import { startDelivery as start } from '../../../test/support/delivery-harness.ts'
import type { Agent, Health } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { RecordBody } from '../../contract/record.ts'

beforeEach(() => {
  vi.useFakeTimers({ now })
  return () => vi.useRealTimers()
})

const healthy: Health = { hooks: 'heard', failures: 0, healed: 0 }
const givenUp: Partial<Agent> = { health: { hooks: 'silent', failures: 6, healed: 0 } }
const launched: RecordBody<'agent.launched'> = {
  process: { pid: 4711, startTime: '12345' },
  launch: null,
  host: 'stream',
  version: '2.1.197',
  cwd: '/home/dev/project',
  program: null,
  conversation: null,
  transcript: null,
  request: { cwd: '/home/dev/project', env: {}, args: [] },
}

const told = { sender: person, priority: 'normal' as const }

describe('what is said of it when it is told', () => {
  test('an idle agent is woken now, and then it is', async () => {
    const { tell, wakes, delivery, agent } = start()
    expect(delivery.describe(agent(), told)).toBe('worker is idle: it is woken now and gets this at once.')
    await tell('Now.')
    expect(wakes).toHaveLength(1)
  })

  test('another agent is heard within the time of gathering, and then it is', async () => {
    const { tell, wakes, delivery, agent, pass } = start()
    const said = delivery.describe(agent(), { ...told, sender: stranger })
    expect(said).toBe('worker is idle: it is woken for this within 3 s.')
    await tell('Soon.', { sender: stranger })
    await pass(3)
    expect(wakes).toHaveLength(1)
  })

  test('what waits before it is counted', async () => {
    const { tell, delivery, agent } = start({}, { state: 'paused', isPaused: true })
    await tell('One.', { priority: 'high' })
    await tell('Two.', { priority: 'low' })
    expect(delivery.describe(agent(), told)).toContain('(rein resume worker). 1 other waits before it.')
  })
})

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

  test('all that is not acknowledged in time is one wake', async () => {
    const { tell, inbox, wakes, pass, delivery, change, onWake } = start({}, { state: 'working' })
    const sighting = { parts: new Map([[1, 'entry']]), descendant: 'reply', repliedWithout: null }
    for (const text of ['One.', 'Two.', 'Three.']) {
      await tell(text)
      inbox.claimOffers(agentRef.id, 'stop', 'feedback', 9000)
      inbox.observe(agentRef.id, 'c', () => sighting)
      await pass(20)
    }
    onWake.run = () => {
      change({ state: 'working' })
      inbox.claimOffers(agentRef.id, 'prompt', 'context', 9000)
      inbox.observe(agentRef.id, 'c', () => sighting)
      delivery.onProgress(agentRef.id)
      change({ state: 'idle', since: Date.now() })
    }
    change({ state: 'idle', since: Date.now() })
    await pass(700)
    expect(wakes).toHaveLength(1)
  })

  test('what an agent must not hear wakes it for nothing, and keeps nobody else out', async () => {
    const { tell, inbox, wakes, pass } = start()
    const origin = { channel: 'phone', sender: null, at: now, claimedAt: null }
    const message = await tell('From outside.', { sender: { kind: 'channel', name: 'phone', sender: null }, origin })
    inbox.holdItem(message, 'bypass_mode')
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
  /** The model replies, and what it was woken for is nowhere. */
  const inVain = { parts: new Map<number, string>(), descendant: null, repliedWithout: 'reply' }

  test('are counted; then it is said with the wake; then everything is explained once; then it is held', async () => {
    const { tell, wakes, pass, receipt, health, inbox } = start()
    const { directive } = await tell('Are you there?')
    const reply = setInterval(() => inbox.observe(agentRef.id, 'c', () => inVain), 1000)
    await pass(1109)
    expect(receipt(directive.id).state).toBe('queued')
    await pass(91)
    expect(wakes.map(({ at }) => at)).toEqual([0, 30, 90, 210, 510, 1110])
    expect(wakes.at(-1)?.text).toContain('/state/bin/rein inbox')
    const carried = expect.stringContaining('Are you there?')
    expect(wakes.slice(0, -1).map(({ text }) => text)).toEqual([null, null, carried, carried, carried])
    clearInterval(reply)
    expect(health()).toEqual({ hooks: 'silent', failures: 5, healed: 0 })
    await pass(600)
    expect(wakes).toHaveLength(6)
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'no_evidence' })
  })

  test('one whose hooks brought it nothing gets all that follows with the wake, until they are heard or it starts anew', async () => {
    const { tell, wakes, pass, inbox, change, agent, delivery } = start()
    const there = { parts: new Map([[1, 'entry']]), descendant: 'reply', repliedWithout: null }
    const seen = (): void => {
      inbox.observe(agentRef.id, 'c', () => there)
      delivery.onProgress(agentRef.id)
    }
    await tell('First.')
    await pass(95)
    seen()
    await tell('Second.')
    const texts = () => wakes.map(({ text }) => text)
    expect(texts()).toEqual([null, null, expect.stringContaining('First.'), expect.stringContaining('Second.')])
    seen()
    change({ health: { ...agent().health, hooks: 'heard' } })
    await tell('Third.')
    expect(texts().at(-1)).toBeNull()
  })

  test('what is told to one that was given up is held at once, and so it is said', async () => {
    const { tell, wakes, receipt, delivery, agent } = start({}, givenUp)
    const { directive } = await tell('Are you there?')
    expect(wakes).toEqual([])
    expect(receipt(directive.id).steps.at(-1)).toMatchObject({ state: 'held', reason: 'no_evidence' })
    expect(delivery.describe(agent(), told)).toContain('when its hooks work again')
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
