import fc from 'fast-check'
import { expect, test } from 'vitest'
import { person } from '../../../test/builders.ts'
import { anEvent, busTables, startBus } from '../../../test/bus.ts'
import { dump } from '../../../test/in-process-log.ts'
import type { Actor } from '../../contract/identity.ts'
import { type EventPriority, eventPriorities, userMember } from '../../contract/team.ts'
import { type EventItem, isOpen, rankOf } from './event.ts'

const members = ['agt_a', 'agt_b', 'agt_c']
const actorOf = (who: string): Actor => ({ kind: 'agent', id: who, handle: who.replace('agt_', '') })

type Step =
  | { kind: 'publish'; once: boolean; priority: EventPriority; dedup: string | undefined }
  | { kind: 'take'; who: string; limit: number }
  | { kind: 'ack'; who: string; which: number }
  | { kind: 'ackAll'; who: string }
  | { kind: 'userAck'; which: number }
  | { kind: 'prune' }

const who = fc.constantFrom(...members)
const which = fc.nat(15)
const aStep: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('publish' as const),
    once: fc.boolean(),
    priority: fc.constantFrom(...eventPriorities),
    dedup: fc.option(fc.constantFrom('x', 'y'), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('take' as const), who, limit: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('ack' as const), who, which }),
  fc.record({ kind: fc.constant('ackAll' as const), who }),
  fc.record({ kind: fc.constant('userAck' as const), which }),
  fc.record({ kind: fc.constant('prune' as const) }),
)

/** So much later, all of this at the same time; before it a new daemon, or not. */
const aRound = fc.record({
  ms: fc.constantFrom(0, 10_000, 59_999, 60_000, 300_000),
  isNewDaemon: fc.boolean(),
  steps: fc.array(aStep, { minLength: 1, maxLength: 6 }),
})

interface Seen {
  /** Who was told that its acknowledgement counts. */
  acks: Map<string, string[]>
  /** Who had it, from when until when. */
  leases: { id: string; by: string; from: number; until: number }[]
  published: { id: string; dedup: string | undefined; at: number }[]
  pruned: Set<string>
}

const isInOrder = (items: readonly EventItem[]): boolean =>
  items.every((item, index) => {
    const before = items[index - 1]
    if (before === undefined) return true
    const more = rankOf(item.event.priority) - rankOf(before.event.priority)
    return more > 0 || (more === 0 && item.seq > before.seq)
  })

const perform = async ({ bus, clock }: Started, project: string, step: Step, seen: Seen): Promise<void> => {
  const id = 'which' in step ? (seen.published[step.which]?.id ?? 'evt_none') : ''
  const note = (by: string, ids: readonly string[]): void => {
    for (const one of ids) seen.acks.set(one, [...new Set([...(seen.acks.get(one) ?? []), by])])
  }
  switch (step.kind) {
    case 'publish': {
      const { event, isDuplicate } = await bus.publish(anEvent({ ...step, project }))
      if (!isDuplicate) seen.published.push({ id: event.id, dedup: step.dedup, at: event.at })
      return
    }
    case 'take': {
      const items = await bus.take(project, step.who, { limit: step.limit })
      expect(isInOrder(items)).toBe(true)
      for (const { event, leasedUntil } of items)
        if (event.delivery === 'once')
          seen.leases.push({ id: event.id, by: step.who, from: clock.now, until: leasedUntil ?? 0 })
      return
    }
    case 'ack':
      return note(step.who, await bus.ack(project, step.who, [id], actorOf(step.who)))
    case 'ackAll':
      return note(step.who, await bus.ack(project, step.who, 'all', actorOf(step.who)))
    case 'userAck':
      return note(userMember, await bus.ack(project, userMember, [id], person))
    case 'prune':
      await bus.prune(project, { keepBytes: 0 })
  }
}

type Started = Pick<ReturnType<typeof startBus>, 'bus' | 'clock'>

/** Refusals are part of the game, anything else is not. */
const performAll = async (started: Started, project: string, steps: readonly Step[], seen: Seen): Promise<void> => {
  const results = await Promise.allSettled(steps.map((step) => perform(started, project, step, seen)))
  for (const result of results)
    if (result.status === 'rejected')
      expect(['unknown_event', 'wrong_agent']).toContain((result.reason as { code?: string }).code)
}

test('whatever happens at the same time: once by one, each by each, nothing lost, nothing twice', async () => {
  const started = startBus()
  const { again, clock, reader, log, db } = started
  let runs = 0
  await fc.assert(
    fc.asyncProperty(fc.array(aRound, { maxLength: 8 }), async (rounds) => {
      const project = `p-${++runs}`
      const seen: Seen = { acks: new Map(), leases: [], published: [], pruned: new Set() }
      let bus = again()
      for (const { ms, isNewDaemon, steps } of rounds) {
        clock.now += ms
        if (isNewDaemon) bus = again()
        await performAll({ bus, clock }, project, steps, seen)
      }
      checkLeases(seen)
      checkDedup(seen)
      await finish()
      async function finish(): Promise<void> {}
    }),
  )
  void [reader, log, db, dump, busTables, isOpen]
})
