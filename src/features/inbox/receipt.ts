import type { Directive, OfferVia, Priority, Receipt, ReceiptState, ReceiptStep } from '../../contract/directive.ts'
import { priorities } from '../../contract/directive.ts'
import { closedStates, type DirectiveRecord, readStep } from '../../contract/receipt-steps.ts'

/** A directive and what became of it so far. */
export interface Item {
  directive: Directive
  seq: number
  state: ReceiptState
  steps: ReceiptStep[]
  attempts: number
  /** Ways in which each part was handed out since it was last queued: only there can evidence be. */
  offers: { part: number; via: OfferVia }[]
  partCount: number
  offeredAt: number | null
  seenAt: number | null
}

/** What came in on a channel needs no acknowledgement: when it was seen, all is done. */
export const isClosed = ({ state, directive }: Pick<Item, 'state' | 'directive'>): boolean =>
  closedStates.includes(state) || (state === 'seen' && directive.origin !== undefined)

/** Text from outside that an agent which asks nobody must not see. */
export const isKeptBack = ({ state, steps }: Pick<Item, 'state' | 'steps'>): boolean =>
  state === 'held' && steps.at(-1)?.reason === 'bypass_mode'

/** Its beginning was shown often enough, and its rest is not read: nobody is woken or stopped for it any more. */
export const isLeftUnread = ({ state, steps }: Pick<Item, 'state' | 'steps'>): boolean =>
  state === 'held' && steps.at(-1)?.reason === unread
export const unread = 'unread'

/** The agent was kept from stopping often enough: what was left over comes with its next turn. */
export const isHeldAtStop = ({ state, steps }: Pick<Item, 'state' | 'steps'>): boolean =>
  state === 'held' && steps.at(-1)?.reason === 'stop_limit'

/** Every record about a directive names it in `cause`; the first one carries it. */
export const directiveId = (record: DirectiveRecord): string =>
  record.type === 'directive.accepted' ? record.body.directive.id : (record.cause ?? '')

/** What a directive is after one more record: the only place where its state changes. */
export const evolve = (item: Item | undefined, record: DirectiveRecord): Item | undefined => {
  if (record.type === 'directive.accepted') {
    const { directive } = record.body
    const fresh = { attempts: 0, offers: [], partCount: 1, offeredAt: null, seenAt: null }
    const steps: ReceiptStep[] = [{ state: 'queued', at: directive.acceptedAt }]
    return item ?? { directive, seq: record.seq, state: 'queued', steps, ...fresh }
  }
  if (item === undefined || isClosed(item)) return item
  const step = readStep(record)
  const next = { ...item, state: step.state, steps: [...item.steps, step] }
  if (record.type === 'directive.offered') {
    const { attempt, via, parts, partCount } = record.body
    const offers = [...item.offers, ...parts.map((part) => ({ part, via }))]
    return { ...next, attempts: attempt, partCount, offers, offeredAt: record.at }
  }
  if (record.type === 'directive.seen') return { ...next, seenAt: record.at }
  if (record.type === 'directive.requeued') return { ...next, offers: [], seenAt: null }
  return next
}

export const toReceipt = ({ directive, state, steps }: Item): Receipt => ({
  id: directive.id,
  handle: directive.agent.handle,
  state,
  steps,
})

const rank = (priority: Priority): number => priorities.indexOf(priority)

/** Whether what waits already is shown before something new. */
export const comesBefore = (waiting: Priority, coming: Priority): boolean => rank(waiting) >= rank(coming)

/** Most urgent first; of equal ones the first accepted. */
export const byPriority = (a: Item, b: Item): number =>
  rank(b.directive.priority) - rank(a.directive.priority) || a.seq - b.seq
