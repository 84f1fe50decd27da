import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { aCall, agentRef, now, owner, person, stranger } from '../../../test/support/builders.ts'
import { cadence, startDelivery } from '../../../test/support/delivery-harness.ts'
import { contextBudget } from '../../contract/hooks.ts'
import type { NewDirective } from './inbox.ts'
import { isClosed, type Item } from './receipt.ts'
import { inboxResponder } from './responder.ts'

beforeEach(() => {
  vi.useFakeTimers({ now })
  return () => vi.useRealTimers()
})

const maxStopBlocks = 3
const channel = { kind: 'channel' as const, name: 'phone', sender: null }
const origin = { channel: 'phone', sender: null, at: now, claimedAt: null }
const senders: Partial<NewDirective>[] = [{ sender: person }, { sender: stranger }, { sender: channel, origin }]

interface Behaviour {
  /** Whether what is handed to the CLI gets into its conversation. */
  takesIn: boolean
}

/** An agent at work whose turns are played with the real responder: it takes in what it is given, and acknowledges it. */
const startWorking = ({ takesIn }: Behaviour = { takesIn: true }) => {
  const box = startDelivery({}, { state: 'working' }, { maxOpen: 10_000 })
  const { inbox, change, onWake } = box
  const injections: number[] = []
  let blocks = 0
  const responder = inboxResponder(
    inbox,
    {
      stopBlocks: () => blocks,
      noteStopBlock: () => {
        blocks += 1
        return () => void (blocks -= 1)
      },
      clearStopBlocks: () => void (blocks = 0),
      takesAt: () => true,
      writesContext: () => true,
      catchUp: async () => undefined,
    },
    maxStopBlocks,
  )
  const inject = async (event: 'prompt' | 'stop'): Promise<boolean> => {
    const { context = [], goOn = [] } = await responder.respond(aCall({ event }), contextBudget)
    const count = context.length + goOn.length
    if (count > 0) injections.push(count)
    if (takesIn) await takeIn()
    return count > 0
  }
  const takeIn = async (): Promise<void> => {
    for (const item of inbox.openItems(agentRef.id).filter(({ offers }) => offers.length > 0)) await read(item)
  }
  const read = async (item: Item): Promise<void> => {
    for (let { offers, partCount } = item; offers.length < partCount; { offers } = inbox.current(item))
      inbox.read(inbox.current(item), owner, null, 2)
    const parts = new Map(inbox.current(item).offers.map(({ part }) => [part, `entry ${part}`]))
    const sighting = { parts, descendant: 'reply', repliedWithout: null }
    inbox.observe(agentRef.id, 'c', (one) => (one.directive.id === item.directive.id ? sighting : null))
    if (!isClosed(inbox.current(item)) && item.directive.origin === undefined)
      await inbox.ack(inbox.current(item), owner, undefined, { source: 'command', detail: 'rein ack' })
    box.delivery.onProgress(agentRef.id)
  }
  const endTurn = async (): Promise<void> => {
    while (await inject('stop'));
    change({ state: 'idle', since: Date.now() })
  }
  onWake.run = () => {
    change({ state: 'working', since: Date.now() })
    void inject('prompt').then(endTurn)
  }
  return { ...box, injections, endTurn }
}

const gaps = (wakes: readonly { at: number }[]): number[] =>
  wakes.slice(1).map(({ at }, index) => at - (wakes[index]?.at ?? 0))

test('however much is told to a busy agent: all of it is shown, once, by as few wakes as it needs', async () => {
  const size = fc.integer({ min: 1, max: 20_000 })
  const backlog = fc.array(fc.tuple(size, fc.constantFrom(...senders)), { minLength: 1, maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(backlog, async (given) => {
      vi.setSystemTime(now)
      const { tell, inbox, stored, written, wakes, injections, endTurn, pass } = startWorking()
      for (const [length, more] of given) await tell('x'.repeat(length), more)
      await endTurn()
      await pass(3600)
      await written()
      expect(inbox.openItems(agentRef.id)).toEqual([])
      expect([...stored.values()].map(({ attempts }) => attempts)).toEqual(given.map(() => 1))
      const afterStops = Math.max(0, injections.length - maxStopBlocks)
      expect(wakes).toHaveLength(Math.ceil(afterStops / (1 + maxStopBlocks)))
      expect(gaps(wakes).filter((seconds) => seconds * 1000 < cadence.cooldownMs)).toEqual([])
    }),
    { numRuns: 30 },
  )
})

test('two hundred lines of a channel, told at once, are all shown within two minutes', async () => {
  const { tell, inbox, endTurn, pass } = startWorking()
  for (let n = 0; n < 200; n += 1) await tell(`${n} ${'x'.repeat(186)}`, { sender: channel, origin })
  await endTurn()
  await pass(120)
  expect(inbox.openItems(agentRef.id)).toEqual([])
})

test('what is left over and never arrives is given up after as many wakes as anything else', async () => {
  const { tell, inbox, wakes, endTurn, pass } = startWorking({ takesIn: false })
  for (let n = 0; n < 10; n += 1) await tell('x'.repeat(7000))
  await endTurn()
  await pass(24 * 3600)
  expect(wakes).toHaveLength(6)
  expect(inbox.openItems(agentRef.id)).toHaveLength(10)
})

test('what a person tells meanwhile does not wait for what is left over', async () => {
  const { tell, wakes, endTurn, pass } = startWorking()
  for (let n = 0; n < 9; n += 1) await tell('x'.repeat(7000))
  await endTurn()
  await pass(1)
  expect(wakes).toEqual([])
  await tell('Now.')
  expect(wakes.map(({ at }) => at)).toEqual([1])
})
