import { afterEach, describe, expect, test, vi } from 'vitest'
import { person } from '../../../../test/support/builders.ts'
import { anEvent, member, mostPressing, pendingCount, project, startBus } from '../../../../test/support/bus.ts'
import type { Actor } from '../../../contract/identity.ts'
import { userMember } from '../../../contract/person.ts'
import type { EventItem } from './event.ts'

const a: Actor = { kind: 'agent', id: 'agt_a', handle: 'a' }
const b: Actor = { kind: 'agent', id: 'agt_b', handle: 'b' }
const idsOf = (items: readonly EventItem[]): string[] => items.map(({ event }) => event.id)

afterEach(() => void vi.useRealTimers())

describe('publishing', () => {
  test('everybody who watches gets it, but not its publisher; then it is written down and told', async () => {
    const { bus, news } = startBus()
    const { event, recipients, isDuplicate } = await bus.publish(anEvent({ from: a, type: 'task-blocked' }))
    expect({ recipients, isDuplicate }).toEqual({ recipients: ['agt_b', 'agt_c'], isDuplicate: false })
    expect(event).toMatchObject({ v: 1, priority: 'high', due: event.at + 120_000, delivery: 'each' })
    expect(bus.find(event.id)).toMatchObject({ event, recipients })
    expect(news).toEqual([{ kind: 'published', id: event.id, members: recipients, seq: bus.find(event.id)?.seq }])
  })

  test('one that is for somebody is for nobody else, also when that is its publisher', async () => {
    const { bus } = startBus()
    expect((await bus.publish(anEvent({ to: member('b') }))).recipients).toEqual(['agt_b'])
    expect((await bus.publish(anEvent({ to: member('a'), from: a }))).recipients).toEqual(['agt_a'])
  })

  test('a type that is not known passes through, with the priority that is given', async () => {
    const { bus } = startBus()
    const { event } = await bus.publish(anEvent({ type: 'build-green', priority: 'low' }))
    expect(event).toMatchObject({ type: 'build-green', v: 0, priority: 'low', due: null })
  })

  test.each([
    ['too large', 'é'.repeat(501), 'text_too_large'],
    ['half a character', '\ud800', 'invalid_text'],
  ])('%s', async (_, payload, code) => {
    const { bus } = startBus()
    await expect(bus.publish(anEvent({ payload }))).rejects.toMatchObject({ code })
  })

  test('the same id again is the same event, also at the same time', async () => {
    const { bus, news } = startBus()
    const all = await Promise.all([1, 2, 3].map((n) => bus.publish(anEvent({ id: 'evt_x', payload: String(n) }))))
    expect(all.map(({ event, isDuplicate }) => [event.payload, isDuplicate])).toEqual([
      ['1', false],
      ['1', true],
      ['1', true],
    ])
    expect(news).toHaveLength(1)
  })

  test('somebody appends it together with something else', async () => {
    const { bus, log, news } = startBus()
    const record = bus.record({ ...anEvent({ type: 'checkpoint' }), id: 'evt_checkpoint' })
    await Promise.all([log.append([record]), log.append([record])])
    bus.announce('evt_checkpoint')
    expect(news).toMatchObject([{ kind: 'published', id: 'evt_checkpoint' }])
    expect(pendingCount(bus, 'agt_a')).toBe(1)
  })

  test('who cannot be told does not make it fail', async () => {
    const onPublished = (): void => {
      throw new Error('no')
    }
    const { bus, news } = startBus({}, { onPublished })
    await bus.publish(anEvent())
    expect(news).toEqual([{ kind: 'trouble', cause: new Error('no') }])
  })
})

describe('dedup', () => {
  const same = anEvent({ dedup: 'build' })

  test('the window counts from the first, whatever became of it, and after a restart', async () => {
    const { bus, again, clock } = startBus()
    const { event } = await bus.publish(same)
    await bus.ack(project, userMember, [event.id], person)
    clock.now += 200_000
    expect(await again().publish(same)).toMatchObject({ event: { id: event.id }, isDuplicate: true })
    clock.now += 99_999
    expect(await again().publish(same)).toMatchObject({ event: { id: event.id }, isDuplicate: true })
    clock.now += 1
    const next = await again().publish(same)
    expect(next).toMatchObject({ isDuplicate: false })
    expect(await bus.publish(same)).toMatchObject({ event: { id: next.event.id }, isDuplicate: true })
  })

  test('at the same time: one event, and everybody is told which', async () => {
    const { bus, news } = startBus()
    const all = await Promise.all(Array.from({ length: 20 }, () => bus.publish(same)))
    expect(new Set(all.map(({ event }) => event.id)).size).toBe(1)
    expect(all.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1)
    expect(news).toHaveLength(1)
  })

  test('another project, type or recipient is another event', async () => {
    const { bus } = startBus()
    const others = [same, { project: 'q' }, { type: 'task-failed' }, { to: member('a') }]
    const all = await Promise.all(others.map((given) => bus.publish({ ...same, ...given })))
    expect(new Set(all.map(({ event }) => event.id)).size).toBe(4)
  })

  test('what failed leaves nothing behind that the next could be the same as', async () => {
    let fails = 1
    const started = startBus(
      {},
      { append: (records) => (fails-- > 0 ? Promise.reject(new Error('full')) : add(records)) },
    )
    const add = (records: Parameters<typeof started.log.append>[0]) => started.log.append(records)
    const [first, second] = await Promise.allSettled([started.bus.publish(same), started.bus.publish(same)])
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled'])
    expect(second).toMatchObject({ value: { isDuplicate: false } })
  })
})

describe('looking', () => {
  test('of a member, of a type, of everybody: what is shown, what is left, and all that there is', async () => {
    const { bus } = startBus()
    for (const type of ['task-complete', 'task-failed', 'task-complete'])
      await bus.publish(anEvent({ type, to: member('a') }))
    await bus.publish(anEvent({ priority: 'critical', to: member('b') }))
    const counts = { critical: 0, high: 1, normal: 2, low: 0 }
    expect(bus.open(project, 'agt_a', { limit: 2 })).toMatchObject({ left: 1, counts })
    expect(bus.open(project, 'agt_a', { type: 'task-complete', limit: 1 })).toMatchObject({ left: 1, counts })
    expect(bus.open(project, null, { limit: 0 })).toEqual({ events: [], left: 4, counts: { ...counts, critical: 1 } })
    expect(bus.open('other', 'agt_a', { limit: 9 }).left).toBe(0)
    expect(mostPressing(bus, 'agt_a')?.event.type).toBe('task-failed')
    expect(bus.newestPendingSeq('agt_a')).toBe(bus.open(project, 'agt_a', { limit: 9 }).events.at(-1)?.seq)
    expect([pendingCount(bus, 'agt_a'), pendingCount(bus, 'agt_gone')]).toEqual([3, 0])
    expect([bus.newestPendingSeq('agt_c'), mostPressing(bus, 'agt_c')]).toEqual([0, null])
  })

  test('what is kept: the newest, done ones too', async () => {
    const { bus } = startBus()
    for (const id of ['evt_x', 'evt_y', 'evt_z']) await bus.publish(anEvent({ id }))
    await bus.ack(project, userMember, ['evt_z'], person)
    const { events, left } = bus.kept(project, { limit: 2 })
    expect([idsOf(events), left]).toEqual([['evt_y', 'evt_z'], 1])
    expect(bus.kept(project, { type: 'task-failed', limit: 2 })).toEqual({ events: [], left: 0 })
  })

  test('the state of a project', async () => {
    const { bus, clock } = startBus()
    await bus.publish(anEvent({ priority: 'critical', to: member('a') }))
    const oldestAt = clock.now
    clock.now += 30_000
    await bus.publish(anEvent({ priority: 'critical', payload: 'x' }))
    const { bytes, ...status } = bus.status(project)
    expect(bytes).toBeGreaterThan(400)
    expect(status).toEqual({
      open: { critical: 2, high: 0, normal: 0, low: 0 },
      overdue: 1,
      oldestAt,
      events: 2,
      recipients: [
        { member: 'agt_a', pending: 2, overdue: 1 },
        { member: 'agt_b', pending: 1, overdue: 0 },
        { member: 'agt_c', pending: 1, overdue: 0 },
      ],
    })
    expect(bus.status('empty')).toMatchObject({ overdue: 0, oldestAt: null, events: 0, bytes: 0, recipients: [] })
  })
})

describe('acknowledging', () => {
  test('each for itself; twice is fine', async () => {
    const { bus } = startBus()
    const { event } = await bus.publish(anEvent())
    expect(await bus.ack(project, 'agt_a', [event.id, event.id], a)).toEqual([event.id])
    expect(await bus.ack(project, 'agt_a', [event.id], a)).toEqual([event.id])
    expect([pendingCount(bus, 'agt_a'), pendingCount(bus, 'agt_b')]).toEqual([0, 1])
  })

  test('the user for everybody', async () => {
    const { bus } = startBus()
    const { event } = await bus.publish(anEvent())
    expect(await bus.ack(project, userMember, [event.id], person)).toEqual([event.id])
    expect(bus.open(project, null, { limit: 9 }).events).toEqual([])
    expect(await bus.ack(project, 'agt_a', [event.id], a)).toEqual([])
  })

  test('one bad id of several: none is acknowledged', async () => {
    const { bus } = startBus()
    const { event: mine } = await bus.publish(anEvent({ to: member('a') }))
    const { event: other } = await bus.publish(anEvent({ to: member('b') }))
    const ack = (id: string) => bus.ack(project, 'agt_a', [mine.id, id], a)
    await expect(ack('evt_none')).rejects.toMatchObject({ code: 'unknown_event' })
    await expect(ack(other.id)).rejects.toMatchObject({ code: 'wrong_agent' })
    expect(pendingCount(bus, 'agt_a')).toBe(1)
  })

  test('all of a member; what is done once stays for whoever does it, unless this member has it', async () => {
    const { bus } = startBus()
    const ids = []
    for (const once of [true, false, true, false]) ids.push((await bus.publish(anEvent({ once }))).event.id)
    await bus.take(project, 'agt_a', { id: ids[0], limit: 1 })
    expect(await bus.ack(project, 'agt_a', 'all', a)).toEqual([ids[0], ids[1], ids[3]])
    expect(idsOf(bus.open(project, 'agt_a', { limit: 9 }).events)).toEqual([ids[2]])
    expect(await bus.ack(project, userMember, 'all', person)).toEqual([ids[1], ids[2], ids[3]])
    expect(await bus.ack('other', userMember, 'all', person)).toEqual([])
  })

  test('all, over several pages', async () => {
    const { bus } = startBus()
    await Promise.all(Array.from({ length: 501 }, () => bus.publish(anEvent({ to: member('a') }))))
    expect(await bus.ack(project, 'agt_a', 'all', a)).toHaveLength(501)
    expect(pendingCount(bus, 'agt_a')).toBe(0)
  })
})

describe('what is done once', () => {
  test('is with the one who took it; others cannot acknowledge it; then nobody has it', async () => {
    const { bus } = startBus()
    const { event } = await bus.publish(anEvent({ once: true }))
    expect(idsOf(await bus.take(project, 'agt_a', { limit: 5 }))).toEqual([event.id])
    expect(await bus.take(project, 'agt_b', { limit: 5 })).toEqual([])
    expect(await bus.take(project, 'agt_b', { id: event.id, limit: 1 })).toEqual([])
    expect([pendingCount(bus, 'agt_a'), pendingCount(bus, 'agt_b')]).toEqual([1, 0])
    await expect(bus.ack(project, 'agt_b', [event.id], b)).rejects.toThrow(/^a has taken/)
    expect(await bus.ack(project, 'agt_a', [event.id], a)).toEqual([event.id])
    expect(await bus.ack(project, 'agt_b', [event.id], b)).toEqual([])
    expect(bus.open(project, null, { limit: 5 }).left).toBe(0)
  })

  test('may be acknowledged by any of them that did it without taking it', async () => {
    const { bus } = startBus()
    const { event } = await bus.publish(anEvent({ once: true }))
    expect(await bus.ack(project, 'agt_b', [event.id], b)).toEqual([event.id])
    expect(pendingCount(bus, 'agt_a')).toBe(0)
  })

  test('comes back when nothing is heard of it; who reads it again has longer', async () => {
    const { bus, clock, news } = startBus()
    const { event } = await bus.publish(anEvent({ once: true }))
    await bus.take(project, 'agt_a', { limit: 1 })
    clock.now += 59_999
    expect(idsOf(await bus.take(project, 'agt_a', { limit: 1 }))).toEqual([event.id])
    clock.now += 59_999
    expect(await bus.take(project, 'agt_b', { limit: 1 })).toEqual([])
    clock.now += 1
    expect(idsOf(await bus.take(project, 'agt_b', { limit: 1 }))).toEqual([event.id])
    expect(news.at(-1)).toEqual({ kind: 'redelivered', id: event.id, members: ['agt_a', 'agt_b', 'agt_c'] })
  })

  test('ten at a time: each gets one of its own', async () => {
    const { bus } = startBus()
    for (let n = 0; n < 3; n++) await bus.publish(anEvent({ once: true }))
    const taken = await Promise.all(['agt_a', 'agt_b', 'agt_c'].map((who) => bus.take(project, who, { limit: 1 })))
    expect(new Set(taken.flatMap(idsOf)).size).toBe(3)
  })

  test('one that does not exist cannot be taken', async () => {
    const { bus } = startBus()
    await expect(bus.take(project, 'agt_a', { id: 'evt_none', limit: 1 })).rejects.toMatchObject({
      code: 'unknown_event',
    })
  })
})

describe('by itself', () => {
  const overdue = (id: string, level: number, members: string[]) => ({ kind: 'overdue', id, level, members })

  test('at its deadline those that are left are told again, later a person; each once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { bus, clock, news, more } = startBus()
    const pass = async (ms: number): Promise<void> => {
      clock.now += ms
      vi.advanceTimersByTime(ms)
      await more()
      await new Promise(setImmediate)
    }
    bus.start()
    const { event } = await bus.publish(anEvent({ priority: 'critical' }))
    await bus.ack(project, 'agt_b', [event.id], b)
    await pass(30_000)
    await pass(30_000)
    expect(news.slice(1)).toEqual([overdue(event.id, 1, ['agt_a', 'agt_c']), overdue(event.id, 2, ['agt_a', 'agt_c'])])
    expect(bus.find(event.id)).toMatchObject({ escalated: 2 })
  })

  test('the next deadline is the sooner one; a lease that ends is told', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { bus, clock, news, more } = startBus()
    bus.start()
    await bus.publish(anEvent({ priority: 'high' }))
    const { event } = await bus.publish(anEvent({ once: true }))
    await bus.take(project, 'agt_a', { id: event.id, limit: 1 })
    clock.now += 60_000
    vi.advanceTimersByTime(60_000)
    await more()
    expect(news.at(-1)).toMatchObject({ kind: 'redelivered', id: event.id })
  })

  test('after a restart: once, as far as it has come, and not again', async () => {
    const { bus, again, clock, news, more } = startBus()
    const { event } = await bus.publish(anEvent({ priority: 'critical', to: member('a') }))
    const { event: late } = await bus.publish(anEvent({ priority: 'high', to: member('a') }))
    clock.now += 60_000
    again().start()
    await more()
    clock.now += 60_000
    again().start()
    await more()
    again().start()
    await bus.take(project, 'agt_a', { limit: 1 })
    expect(news.slice(2)).toEqual([overdue(event.id, 2, ['agt_a']), overdue(late.id, 1, ['agt_a'])])
  })

  test('what presses and nobody watches is brought to a person', async () => {
    const { bus, clock, news, team } = startBus()
    team.splice(0)
    const { event } = await bus.publish(anEvent({ priority: 'critical' }))
    const { event: calm } = await bus.publish(anEvent())
    clock.now += 30_000
    await bus.take(project, 'agt_a', { limit: 1 })
    expect(news.slice(2)).toEqual([overdue(event.id, 2, [])])
    expect(idsOf(bus.open(project, null, { limit: 9 }).events)).toEqual([event.id])
    expect(await bus.ack(project, userMember, 'all', person)).toEqual([event.id])
    await expect(bus.ack(project, 'agt_a', [calm.id], a)).rejects.toMatchObject({ code: 'wrong_agent' })
  })

  test('many at once', async () => {
    const { bus, clock, news } = startBus()
    await Promise.all(Array.from({ length: 501 }, () => bus.publish(anEvent({ priority: 'critical' }))))
    clock.now += 30_000
    await bus.take(project, 'agt_a', { limit: 1 })
    expect(news.filter(({ kind }) => kind === 'overdue')).toHaveLength(501)
  })

  test('what cannot be written is tried again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    let fails = 0
    const started = startBus(
      {},
      { append: (records) => (fails-- > 0 ? Promise.reject(new Error('full')) : add(records)) },
    )
    const add = (records: Parameters<typeof started.log.append>[0]) => started.log.append(records)
    const { bus, clock, news, more } = started
    const { event } = await bus.publish(anEvent({ priority: 'critical' }))
    clock.now += 30_000
    fails = 1
    bus.start()
    await more()
    expect(news.at(-1)).toEqual({ kind: 'trouble', cause: new Error('full') })
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
    vi.advanceTimersByTime(5_000)
    await more()
    expect(news.at(-1)).toMatchObject({ kind: 'overdue', id: event.id, level: 1 })
  })

  test('after a rebuild it goes on', async () => {
    const { bus, log, clock, news, more } = startBus()
    bus.start()
    const { event } = await bus.publish(anEvent({ priority: 'critical' }))
    await log.rebuild()
    clock.now += 30_000
    bus.reload()
    await more()
    expect(news.at(-1)).toMatchObject({ kind: 'overdue', id: event.id, level: 1 })
  })

  test('a bus that was stopped does nothing more', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { bus } = startBus()
    bus.start()
    await bus.publish(anEvent({ priority: 'critical' }))
    bus.stop()
    await bus.publish(anEvent({ priority: 'critical' }))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('pruning', () => {
  const done = async ({ bus }: ReturnType<typeof startBus>, given = {}): Promise<string> => {
    const { event } = await bus.publish(anEvent(given))
    await bus.ack(project, userMember, [event.id], person)
    return event.id
  }

  test('by age and by size, the oldest first, never what is open', async () => {
    const started = startBus()
    const { bus, clock } = started
    const { event: open } = await bus.publish(anEvent())
    const old = await done(started)
    clock.now += 10_000
    const young = await done(started)
    expect(await bus.prune(project, { olderThanMs: 5_000 })).toMatchObject({ pruned: 1, kept: 2 })
    expect([bus.find(old), bus.find(young)?.event.id]).toEqual([null, young])
    expect(await bus.prune(project, {})).toMatchObject({ pruned: 0, kept: 2 })
    const { kept, bytes } = await bus.prune(project, { keepBytes: 0 })
    expect({ kept, bytes }).toEqual({ kept: 1, bytes: Buffer.byteLength(JSON.stringify(open)) })
  })

  test('what another could be the same as is kept for that long', async () => {
    const started = startBus()
    const { bus, clock } = started
    const id = await done(started, { dedup: 'k' })
    expect(await bus.prune(project, { keepBytes: 0 })).toMatchObject({ pruned: 0 })
    expect(await bus.publish(anEvent({ dedup: 'k' }))).toMatchObject({ event: { id }, isDuplicate: true })
    clock.now += 300_000
    expect(await bus.prune(project, { keepBytes: 0 })).toMatchObject({ pruned: 1 })
  })

  test('when there is too much it happens by itself, and more goes than must', async () => {
    const started = startBus({ retentionBytes: 10_000 })
    const { bus, log } = started
    const pruned = (): number => log.readAfter('events', 0).filter(({ type }) => type === 'event.pruned').length
    while (pruned() === 0) await done(started, { payload: 'x'.repeat(500) })
    expect(bus.status(project).bytes).toBeLessThan(10_000)
    const count = pruned()
    await done(started)
    expect(pruned()).toBe(count)
  })
})
