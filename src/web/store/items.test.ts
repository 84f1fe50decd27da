import { expect, test } from 'vitest'
import type { Outgoing } from '../link/outbox.ts'
import type { FeedView, SentDirective } from './feed.ts'
import { listItems } from './items.ts'

const sent = (id: string): SentDirective => ({
  directive: { id } as SentDirective['directive'],
  state: 'queued',
  steps: [],
  seq: 1,
})
const view = (more: Partial<FeedView>): FeedView => ({
  rows: [],
  pending: [],
  directives: new Map(),
  proven: new Map(),
  results: new Map(),
  ...more,
})
const nothing = { waiting: [], told: [], live: [] }
const outgoing = (id: string): Outgoing => ({ id }) as Outgoing
const results = { kind: 'context', key: 'r', seq: 1, at: 0, entry: 'e', blocks: [] } as const

test('an entry without a text is a row only if it proves a directive', () => {
  expect(listItems(view({ rows: [results] }), nothing)).toEqual([])
  const proving = view({
    rows: [results],
    directives: new Map([['dir_1', sent('dir_1')]]),
    proven: new Map([['e', ['dir_1']]]),
  })
  expect(listItems(proving, nothing)).toMatchObject([{ kind: 'row', receipts: [{ directive: { id: 'dir_1' } }] }])
})

test('what is said now, what is not proven and what waits come last, in this order', () => {
  const items = listItems(view({ pending: ['dir_1'], directives: new Map([['dir_1', sent('dir_1')]]) }), {
    waiting: [outgoing('dir_2')],
    told: [{ id: 'dir_1', delivery: 'It is woken now.', handle: 'ada', project: 'shop', state: 'queued', steps: [] }],
    live: [{ kind: 'text', text: 'I' }],
  })
  expect(items).toMatchObject([
    { kind: 'live' },
    { kind: 'pending', delivery: 'It is woken now.' },
    { kind: 'waiting' },
  ])
})

test('what waits is not shown beside its own receipt, and keeps its key', () => {
  const before = listItems(view({}), { ...nothing, waiting: [outgoing('dir_1')] })
  const after = listItems(view({ pending: ['dir_1'], directives: new Map([['dir_1', sent('dir_1')]]) }), {
    ...nothing,
    waiting: [outgoing('dir_1')],
  })
  expect(after).toHaveLength(1)
  expect(after[0]?.key).toBe(before[0]?.key)
})
