import type { ReceiptState, ReceiptStep } from './directive.ts'
import type { AnyRecord } from './record.ts'

export type DirectiveRecord = Extract<AnyRecord, { type: `directive.${string}` }>
export const isDirectiveRecord = (record: AnyRecord): record is DirectiveRecord => record.type.startsWith('directive.')

/** States that no later record changes. */
export const closedStates: readonly ReceiptState[] = ['acked', 'expired', 'cancelled', 'failed']

type StepRecord = Exclude<DirectiveRecord, { type: 'directive.accepted' }>

const stateOf: Record<StepRecord['type'], ReceiptState> = {
  'directive.offered': 'offered',
  'directive.placed': 'placed',
  'directive.seen': 'seen',
  'directive.acked': 'acked',
  'directive.requeued': 'queued',
  'directive.held': 'held',
  'directive.expired': 'expired',
  'directive.cancelled': 'cancelled',
  'directive.failed': 'failed',
}

/** The step of a receipt that a record stands for. The daemon and the page read receipts by it; free of zod for the page. */
export const readStep = (record: StepRecord): ReceiptStep => {
  const { partCount: _, ...details } = record.body as { partCount?: number } & Omit<ReceiptStep, 'state' | 'at'>
  return { state: stateOf[record.type], at: record.at, ...details }
}
