import type { Receipt as ReceiptValue, ReceiptState, ReceiptStep } from '../../contract/directive.ts'
import { now } from '../link/api.ts'
import { shown } from './text.ts'
import { timeText } from './time.ts'

/** The way of a directive that arrives; other states are said beside it. */
const stages = ['queued', 'offered', 'placed', 'seen', 'acked'] as const

/** It is not known that the daemon has it. */
type SendState = 'waiting' | 'sending' | 'unknown'

const meanings: Record<ReceiptState | SendState, string> = {
  waiting: 'waits for the connection',
  sending: 'being sent',
  unknown: 'not known whether it arrived',
  queued: 'queued: on disk, not yet handed over',
  held: 'held',
  offered: 'offered: handed to the CLI, which proves nothing yet',
  placed: 'placed: found in the conversation',
  seen: 'seen: the model has replied with it in its context',
  acked: 'acked: the agent has confirmed it',
  expired: 'expired',
  cancelled: 'cancelled',
  failed: 'failed',
}

const isSendState = (state: ReceiptState | SendState): state is SendState =>
  state === 'waiting' || state === 'sending' || state === 'unknown'

const toneOf = (state: ReceiptState | SendState): string => {
  if (state === 'acked' || state === 'seen') return 'good'
  if (state === 'held' || isSendState(state)) return 'wait'
  return state === 'expired' || state === 'cancelled' || state === 'failed' ? 'bad' : 'way'
}

const stepText = ({ state, at, reason, note, evidence }: ReceiptStep): string =>
  [
    `${timeText(at, now())} ${state}`,
    reason?.replaceAll('_', ' '),
    note === undefined ? undefined : `“${note}”`,
    evidence === undefined
      ? undefined
      : `by ${evidence.source}${evidence.entry === undefined ? '' : ` ${evidence.entry}`}`,
  ]
    .filter(Boolean)
    .map((part) => shown(String(part)))
    .join(' · ')

interface ReceiptProps {
  receipt: Pick<ReceiptValue, 'state' | 'steps'> | { state: SendState; steps: readonly ReceiptStep[] }
}

/** How far a directive has come, with each step and its evidence behind a click. */
export const Receipt = ({ receipt: { state, steps } }: ReceiptProps) => {
  const reached = stages.indexOf(state as (typeof stages)[number])
  const lastReason = steps.at(-1)?.reason
  const words = isSendState(state) ? meanings[state] : state
  return (
    <details class={`receipt receipt-${toneOf(state)}`} data-state={state}>
      <summary title={meanings[state]}>
        <span class="receipt-track" aria-hidden="true">
          {stages.map((stage, at) => (
            <span key={stage} class={at <= reached ? 'receipt-stage is-reached' : 'receipt-stage'} />
          ))}
        </span>
        <span class="receipt-word">
          {words}
          {state === 'held' && lastReason !== undefined ? ` (${shown(lastReason.replaceAll('_', ' '))})` : ''}
        </span>
      </summary>
      <ol class="receipt-steps">
        <li class="receipt-meaning">{meanings[state]}</li>
        {steps.map((step, at) => (
          <li key={at}>{stepText(step)}</li>
        ))}
      </ol>
    </details>
  )
}
