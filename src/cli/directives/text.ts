import type { Receipt, ReceiptState, ReceiptStep } from '../../contract/directive.ts'
import type { Evidence } from '../../contract/identity.ts'
import { shortId } from '../../contract/ids.ts'
import { collectLines, formatTime, printable, shorten } from '../format.ts'
import type { Style } from '../output.ts'

const noteLimit = 200

/** One step of a receipt: when, what, and why Rein believes it. */
export const stepLine = (step: ReceiptStep, now: number, style: Style): string => {
  const { attempt, via } = step
  const details = [
    step.reason === undefined ? '' : printable(step.reason).replaceAll('_', ' '),
    attempt === undefined ? '' : `attempt ${attempt}${via === undefined ? '' : `, ${ways[via]}`}`,
    step.parts === undefined || step.parts.length === 0 ? '' : `part ${step.parts.join(', ')}`,
    describeEvidence(step.evidence),
    step.note === undefined ? '' : `“${shorten(step.note, noteLimit)}”`,
  ]
  const state = colour(step.state, style)(step.state.padEnd(9))
  return `  ${style.dim(formatTime(step.at, now))}  ${state}  ${details.filter((each) => each !== '').join('; ')}`.trimEnd()
}

export const receiptText = (receipt: Receipt, now: number, style: Style): string =>
  [headline(receipt, style), ...receipt.steps.map((step) => stepLine(step, now, style))].join('\n')

export const headline = ({ id, handle, state }: Receipt, style: Style): string =>
  `${shortId(id)} for ${style.bold(handle)}: ${colour(state, style)(state)}`

export const colour = (state: ReceiptState, style: Style): ((text: string) => string) => {
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

const describeEvidence = (evidence: Evidence | undefined): string => {
  if (evidence === undefined) return ''
  const { source, entry, descendant, conversation, detail } = evidence
  const found = collectLines(
    entry !== undefined && `entry ${entry}`,
    descendant !== undefined && `answered by ${descendant}`,
    conversation !== undefined && `conversation ${conversation}`,
    detail !== undefined && detail,
  )
  return printable(found.length === 0 ? source : `${source}: ${found.join(', ')}`)
}
