import type { Receipt, ReceiptState, ReceiptStep } from '../../contract/directive.ts'
import type { Evidence } from '../../contract/identity.ts'
import { shortId } from '../../contract/ids.ts'
import { collectLines, formatTime, printable, shorten } from '../format.ts'
import type { Style } from '../output.ts'

const noteLimit = 200

interface ReceiptView {
  now: number
  style: Style
  /** With how each step was made, and why Rein believes it. */
  isVerbose?: boolean | undefined
}

/** One step of a receipt: when and what; on request also how, and the evidence. */
export const stepLine = (step: ReceiptStep, { now, style, isVerbose = false }: ReceiptView): string => {
  const { state, at, reason, attempt = 1, via, parts = [], note } = step
  const details = collectLines(
    reason !== undefined && printable(reason).replaceAll('_', ' '),
    (attempt > 1 || (isVerbose && step.attempt !== undefined)) && `attempt ${attempt}`,
    isVerbose && via !== undefined && ways[via],
    isVerbose && parts.length > 0 && `part ${parts.join(', ')}`,
    isVerbose && step.evidence !== undefined && describeEvidence(step.evidence),
    note !== undefined && `“${shorten(note, noteLimit)}”`,
  )
  return `  ${style.dim(formatTime(at, now))}  ${colour(state, style)(state)}${' '.repeat(11 - state.length)}${details.join('; ')}`.trimEnd()
}

export const receiptText = (receipt: Receipt, view: ReceiptView): string =>
  [headline(receipt, view.style), ...receipt.steps.map((step) => stepLine(step, view))].join('\n')

export const headline = ({ id, handle, state }: Receipt, style: Style): string =>
  `${shortId(id)} for ${style.bold(handle)}: ${colour(state, style)(state)}`

const colour = (state: ReceiptState, style: Style): ((text: string) => string) => {
  if (state === 'acked' || state === 'seen') return style.green
  if (state === 'expired' || state === 'cancelled' || state === 'failed') return style.red
  return state === 'held' ? style.yellow : style.cyan
}

const ways = {
  context: 'in a hook reply',
  unwritten: 'in a hook reply that leaves no trace',
  feedback: 'instead of stopping',
  denial: 'instead of a tool call',
  prompt: 'as a prompt',
  read: 'read by the agent',
} as const

const describeEvidence = ({ source, entry, descendant, conversation, detail }: Evidence): string => {
  const found = collectLines(
    entry !== undefined && `entry ${entry}`,
    descendant !== undefined && `answered by ${descendant}`,
    conversation !== undefined && `conversation ${conversation}`,
    detail !== undefined && detail,
  )
  return printable(found.length === 0 ? source : `${source}: ${found.join(', ')}`)
}
