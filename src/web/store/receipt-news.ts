import type { ReceiptState } from '../../contract/directive.ts'
import type { Item } from './items.ts'

/** How far each directive had come when it was looked at last. */
export type KnownStates = ReadonlyMap<string, ReceiptState | 'waiting'>

interface ReceiptNews {
  known: KnownStates
  news: readonly { text: string; state: ReceiptState }[]
}

/** What moved since: a directive that comes into view with its state, as older parts do, is no news. */
export const findReceiptNews = (before: KnownStates, items: readonly Item[]): ReceiptNews => {
  const known = new Map(before)
  const news: { text: string; state: ReceiptState }[] = []
  for (const item of items) {
    if (item.kind === 'waiting') known.set(item.outgoing.id, 'waiting')
    for (const { directive, state } of item.receipts) {
      const last = known.get(directive.id)
      if (last !== undefined && last !== state) news.push({ text: directive.text, state })
      known.set(directive.id, state)
    }
  }
  return { known, news }
}
