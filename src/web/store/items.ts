import type { Told } from '../../contract/routes/directives.ts'
import type { Outgoing } from '../link/outbox.ts'
import type { FeedView, Row, SentDirective } from './feed.ts'
import type { LivePiece } from './live-text.ts'

interface ItemBase {
  key: string
  /** The directives that stand here. */
  receipts: readonly SentDirective[]
}

/** What stands in the list of a conversation: the log, then what is not proven yet, then what is said now. */
export type Item = ItemBase &
  (
    | { kind: 'row'; row: Row }
    | { kind: 'live'; piece: LivePiece }
    | { kind: 'pending'; delivery: string | undefined }
    /** The daemon does not have it yet. */
    | { kind: 'waiting'; outgoing: Outgoing }
  )

interface Beside {
  waiting: readonly Outgoing[]
  told: readonly Told[]
  live: readonly LivePiece[]
}

const isEmpty = (row: Row): boolean => 'blocks' in row && row.blocks.length === 0

export const listItems = (view: FeedView, { waiting, told, live }: Beside): Item[] => {
  const find = (ids: readonly string[] = []): SentDirective[] => ids.flatMap((id) => view.directives.get(id) ?? [])
  const items: Item[] = []
  for (const row of view.rows) {
    const receipts = find('entry' in row ? view.proven.get(row.entry) : row.kind === 'directive' ? [row.id] : [])
    if (receipts.length > 0 || !isEmpty(row)) items.push({ kind: 'row', key: row.key, row, receipts })
  }
  for (const [at, piece] of live.entries()) items.push({ kind: 'live', key: `live:${at}`, piece, receipts: [] })
  for (const receipt of find(view.pending)) {
    const { id } = receipt.directive
    const delivery = told.find((each) => each.id === id)?.delivery
    items.push({ kind: 'pending', key: `d:${id}`, receipts: [receipt], delivery })
  }
  for (const outgoing of waiting)
    if (!view.directives.has(outgoing.id))
      items.push({ kind: 'waiting', key: `d:${outgoing.id}`, outgoing, receipts: [] })
  return items
}
