import { expect, test } from 'vitest'
import type { Directive, ReceiptState } from '../../contract/directive.ts'
import type { Outgoing } from '../link/outbox.ts'
import type { Item } from './items.ts'
import { findReceiptNews } from './receipt-news.ts'

const told = (id: string, state: ReceiptState): Item => ({
  kind: 'pending',
  key: id,
  delivery: undefined,
  receipts: [{ directive: { id, text: `text of ${id}` } as Directive, state, steps: [], seq: 1 }],
})
const unsent = (id: string): Item => ({ kind: 'waiting', key: id, receipts: [], outgoing: { id } as Outgoing })

test('a step of what is known is news, once', () => {
  const first = findReceiptNews(new Map(), [told('a', 'queued')])
  expect(first.news).toEqual([])
  const second = findReceiptNews(first.known, [told('a', 'seen')])
  expect(second.news).toEqual([{ text: 'text of a', state: 'seen' }])
  expect(findReceiptNews(second.known, [told('a', 'seen')]).news).toEqual([])
})

test('what was told earlier and comes into view is none', () => {
  const { known } = findReceiptNews(new Map(), [])
  expect(findReceiptNews(known, [told('old', 'seen'), told('older', 'expired')]).news).toEqual([])
})

test('what was written here is news as soon as Rein has it', () => {
  const { known } = findReceiptNews(new Map(), [unsent('a')])
  expect(findReceiptNews(known, [told('a', 'queued')]).news).toEqual([{ text: 'text of a', state: 'queued' }])
})
