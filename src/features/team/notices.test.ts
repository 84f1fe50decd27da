import { describe, expect, test } from 'vitest'
import { agentRef, anAgent, person } from '../../../test/support/builders.ts'
import { startInbox } from '../../../test/support/inbox-harness.ts'
import type { Actor } from '../../contract/identity.ts'
import type { BusEvent, NumberedPost } from '../../contract/team.ts'
import type { Item } from '../inbox/receipt.ts'
import { isNotice, Notices, noticeText, type Unread } from './notices.ts'

const quiet: Unread = { rooms: [], events: { critical: 0, high: 0, normal: 0, low: 0 } }
const two: Unread = { ...quiet, rooms: [{ name: 'build', unread: 2, mentions: 1 }] }

const setUp = () => {
  const box = startInbox()
  let unread = two
  let newest = 0
  const open = () => box.inbox.openItems(agentRef.id).find(isNotice)
  const notices = new Notices({
    agent: (id) => (id === agentRef.id ? anAgent() : null),
    unread: () => unread,
    newest: () => newest,
    toldUpTo: () => told(),
    open,
    accept: (given) => box.inbox.accept(given),
    withdraw: (item) => box.inbox.cancel(item, { kind: 'daemon' }),
    onTrouble: (cause) => {
      throw cause
    },
  })
  const all = () => box.records.filter((one) => one.type === 'directive.accepted').map((one) => one.body.directive)
  const told = (): number => Math.max(0, ...all().map(({ origin }) => (origin && 'upTo' in origin ? origin.upTo : 0)))
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    ...box,
    notices,
    open,
    all,
    settle,
    becomes: (now: Unread, seq: number) => {
      unread = now
      newest = seq
    },
    posted: (seq: number, author: Actor = person, mentions: NumberedPost['mentions'] = []) =>
      notices.onPosted({ author, mentions, room: `${agentRef.project}/build` } as NumberedPost, seq, [agentRef]),
    published: (seq: number, priority: BusEvent['priority'], type = 'task-failed') =>
      notices.onPublished({ type, from: person, priority } as BusEvent, [agentRef.id], seq),
    show: () => box.inbox.claimOffers(agentRef.id, 'prompt', 'context', 9000),
  }
}

describe('one notice at a time', () => {
  test('a hundred messages are one notice', async () => {
    const { posted, settle, all } = setUp()
    for (let seq = 1; seq <= 50; seq += 1) posted(seq)
    await settle()
    for (let seq = 51; seq <= 100; seq += 1) posted(seq)
    await settle()
    expect(all()).toMatchObject([{ type: 'notice', origin: { upTo: 1, by: 'person', isPressing: false } }])
  })

  test('what came while it was on its way is told by it; what came after it was shown is told next', async () => {
    const { posted, settle, all, becomes, notices, show, open, inbox } = setUp()
    posted(1)
    await settle()
    posted(2)
    becomes(two, 2)
    show()
    await inbox.cancel(open() as Item, { kind: 'daemon' })
    notices.consider(agentRef.id)
    await settle()
    expect(all()).toHaveLength(1)
    becomes(two, 3)
    notices.consider(agentRef.id)
    await settle()
    expect(all()).toMatchObject([{ origin: { upTo: 1 } }, { origin: { upTo: 3 } }])
  })

  test('what came while it was shown is not covered by it', async () => {
    const { posted, settle, all, becomes, notices, show, open, inbox } = setUp()
    posted(1)
    await settle()
    show()
    posted(2)
    becomes(two, 2)
    await inbox.cancel(open() as Item, { kind: 'daemon' })
    notices.consider(agentRef.id)
    await settle()
    expect(all()).toHaveLength(2)
  })

  test('a critical event does not wait behind a plain notice', async () => {
    const { posted, published, settle, all, open, becomes } = setUp()
    posted(1)
    await settle()
    becomes({ ...two, events: { critical: 1, high: 0, normal: 0, low: 1 } }, 3)
    published(2, 'critical')
    published(3, 'low')
    await settle()
    expect(all()).toHaveLength(2)
    expect(open()?.directive).toMatchObject({ priority: 'high', origin: { upTo: 2, isPressing: true } })
  })

  test('what the notice that waits does not name makes another in its place', async () => {
    const { posted, published, settle, all, open, becomes } = setUp()
    posted(1)
    await settle()
    becomes({ ...two, events: { critical: 0, high: 0, normal: 1, low: 0 } }, 2)
    published(2, 'normal')
    await settle()
    expect(all()).toHaveLength(2)
    expect(open()?.directive.origin).toMatchObject({ upTo: 2, about: ['room:build', 'bus:normal'] })
  })

  test('one that was left over at a stop delays nothing', async () => {
    const { posted, settle, all, open, inbox } = setUp()
    posted(1)
    await settle()
    inbox.holdItem(open() as Item, 'stop_limit')
    posted(2)
    await settle()
    expect(all()).toHaveLength(2)
    expect(open()).toMatchObject({ state: 'queued' })
  })

  test('a new conversation is told again of what nobody has read', async () => {
    const { posted, settle, all, becomes, notices, open, inbox } = setUp()
    posted(1)
    becomes(two, 1)
    await settle()
    await inbox.cancel(open() as Item, { kind: 'daemon' })
    notices.consider(agentRef.id)
    await settle()
    expect(all()).toHaveLength(1)
    notices.consider(agentRef.id, true)
    await settle()
    expect(all()).toHaveLength(2)
  })
})

test('many at once that are more pressing than the one that waits make one notice, as pressing as the most', async () => {
  const { posted, published, settle, all, open, inbox, becomes } = setUp()
  becomes({ ...two, events: { critical: 1, high: 0, normal: 0, low: 0 } }, 11)
  posted(1, { kind: 'daemon' })
  await settle()
  for (let seq = 2; seq <= 9; seq += 1) posted(seq)
  published(10, 'critical')
  posted(11)
  await settle()
  expect(inbox.openItems(agentRef.id)).toHaveLength(1)
  expect(open()?.directive.origin).toMatchObject({ upTo: 11, by: 'person', isPressing: true })
  expect(all().length).toBeLessThan(5)
})

describe('what is worth nobody’s turn', () => {
  const other = { agent: { ...agentRef, id: 'agt_2', handle: 'other' }, kind: 'plain' as const }

  test.each([
    ['what Rein itself says', { kind: 'daemon' } as const, []],
    ['what is said to somebody else', person, [other]],
    ['what asks how an agent is', person, [{ agent: agentRef, kind: 'query' as const }]],
  ])('%s is told when the agent next runs', async (_, author, mentions) => {
    const { posted, settle, open } = setUp()
    posted(1, author, mentions)
    await settle()
    expect(open()?.directive.origin).toMatchObject({ by: 'rein', isPressing: false })
    posted(2)
    await settle()
    expect(open()?.directive.origin).toMatchObject({ upTo: 2, by: 'person' })
  })

  test('that an agent crashed, too', async () => {
    const { published, settle, open, becomes } = setUp()
    becomes({ ...quiet, events: { critical: 0, high: 0, normal: 1, low: 0 } }, 1)
    published(1, 'normal', 'agent-crashed')
    await settle()
    expect(open()?.directive.origin).toMatchObject({ by: 'rein', isPressing: false })
  })

  test('once everything is read, unless it was shown already', async () => {
    const { posted, settle, open, becomes, notices } = setUp()
    posted(1)
    await settle()
    notices.onRead(agentRef.id)
    await settle()
    expect(open()).toBeDefined()
    becomes(quiet, 1)
    notices.onRead(agentRef.id)
    await settle()
    expect(open()).toBeUndefined()
  })
})

test('the text has names of rooms and numbers, and nothing else', () => {
  expect(noticeText(quiet)).toBeNull()
  const many = [...Array(12).keys()].map((n) => ({ name: `room-${n}`, unread: 1, mentions: 0 }))
  const events = { critical: 1, high: 0, normal: 3, low: 0 }
  expect(noticeText({ rooms: [{ name: 'build', unread: 3, mentions: 1 }], events })).toBe(
    [
      'Unread messages in rooms of your team: build (3, 1 of them naming you).',
      'Read them with the tool chat_read, or: rein chat read ROOM --unread',
      'Events on the bus that wait for you: 1 critical, 3 normal.',
      'Read them with the tool bus_read, or: rein bus read. Acknowledge each when it is dealt with: bus_ack, or rein bus ack ID',
    ].join('\n'),
  )
  expect(noticeText({ ...quiet, rooms: many })).toContain('room-9 (1), and 2 more rooms.')
})
