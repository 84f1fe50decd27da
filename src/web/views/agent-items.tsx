import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { TurnBlock } from '../../contract/turn.ts'
import { inputSummary } from '../../contract/tool-input.ts'
import { call, now } from '../link/api.ts'
import type { Outgoing } from '../link/outbox.ts'
import { Diff } from '../parts/diff-view.tsx'
import { costText, shortCount } from '../parts/facts.ts'
import { Icon } from '../parts/icon.tsx'
import { Markdown } from '../parts/markdown-view.tsx'
import { failureText } from '../parts/failure-text.ts'
import { Receipt } from '../parts/receipt.tsx'
import { CutText } from '../parts/cut-text.tsx'
import { oneLine, shown } from '../parts/text.ts'
import { timeText } from '../parts/time.ts'
import { attempt } from '../parts/toast.tsx'
import type { FeedView, Row, SentDirective, ToolResult } from '../store/feed.ts'
import type { Item } from '../store/items.ts'
import { outbox } from '../store/tell.ts'
import { changeOf } from '../store/tool-change.ts'

export const ItemView = ({ item, view }: { item: Item; view: FeedView | null }) => {
  const receipts = item.receipts.map((sent) => (
    <ToldText key={sent.directive.id} sent={sent} delivery={item.kind === 'pending' ? item.delivery : undefined} />
  ))
  if (item.kind === 'waiting') return <UnsentText outgoing={item.outgoing} />
  if (item.kind === 'pending') return <>{receipts}</>
  if (item.kind === 'live')
    return (
      <div class="said is-live">
        {item.piece.kind === 'thinking' ? (
          <div class="thinking-now soft">{shown(item.piece.text)}</div>
        ) : (
          <Markdown text={item.piece.text} />
        )}
      </div>
    )
  return (
    <>
      <RowView row={item.row} results={view?.results} hasReceipts={receipts.length > 0} />
      {receipts}
    </>
  )
}

interface RowProps {
  row: Row
  results: ReadonlyMap<string, ToolResult> | undefined
  hasReceipts: boolean
}

const RowView = ({ row, results, hasReceipts }: RowProps) => {
  switch (row.kind) {
    case 'prompt':
      return row.isOwn ? (
        <Line at={row.at} text={hasReceipts ? 'Rein prompts it with:' : 'Rein prompts it'} />
      ) : (
        <div class="prompt">
          <Meta at={row.at}>prompt</Meta>
          <CutText text={row.text} />
        </div>
      )
    case 'reply':
    case 'context':
      return (
        <div class="said">
          {row.blocks.map((block, at) => (
            <BlockView key={at} block={block} results={results} />
          ))}
        </div>
      )
    case 'ended': {
      const { usage, reason } = row
      const facts = [
        reason === 'next_prompt' ? '' : reason.replaceAll('_', ' '),
        usage === null ? '' : `${shortCount(usage.outputTokens)} tokens out`,
        costText(usage),
      ]
      return <Line at={row.at} text={`turn over · ${facts.filter(Boolean).join(' · ')}`} isEnd />
    }
    case 'event':
      return <Line at={row.at} text={row.text} tone={row.tone} />
    default:
      return null
  }
}

const Meta = ({ at, children }: { at: number; children: ComponentChildren }) => (
  <div class="meta">
    <span>{children}</span>
    <time class="number" dateTime={new Date(at).toISOString()}>
      {timeText(at, now())}
    </time>
  </div>
)

const Line = ({
  at,
  text,
  tone = 'calm',
  isEnd = false,
}: {
  at: number
  text: string
  tone?: string
  isEnd?: boolean
}) => (
  <div class={`line line-${tone}${isEnd ? ' line-end' : ''}`}>
    <span>{oneLine(text, 400)}</span>
    <time class="number">{timeText(at, now())}</time>
  </div>
)

const BlockView = ({ block, results }: { block: TurnBlock; results: ReadonlyMap<string, ToolResult> | undefined }) => {
  switch (block.type) {
    case 'text':
      return <Markdown text={block.text} />
    case 'thinking':
      return block.thinking.trim() === '' ? null : (
        <details class="fold">
          <summary>
            <Icon name="right" size={12} /> Thinking <span class="faint cut">{oneLine(block.thinking, 120)}</span>
          </summary>
          <div class="thinking soft">
            <CutText text={block.thinking} />
          </div>
        </details>
      )
    case 'tool_use':
      return <Tool block={block} result={results?.get(block.id)} />
    case 'context':
      return (
        <details class="fold">
          <summary>
            <Icon name="right" size={12} /> Context from {shown(block.source || 'a hook')}
            <span class="faint number"> {block.text.length.toLocaleString()} characters</span>
          </summary>
          <CutText text={block.text} isCode />
        </details>
      )
    case 'tool_result':
      return null
    default:
      return (
        <details class="fold">
          <summary>
            <Icon name="right" size={12} /> Something else
          </summary>
          <CutText text={JSON.stringify(block.raw, null, 2)} isCode />
        </details>
      )
  }
}

const Tool = ({
  block,
  result,
}: {
  block: Extract<TurnBlock, { type: 'tool_use' }>
  result: ToolResult | undefined
}) => {
  // Comparing two long texts would be felt with each redraw.
  const change = useMemo(() => changeOf(block.input), [block.input])
  const outcome = result === undefined ? 'running' : result.isError ? 'failed' : 'done'
  return (
    <details
      class={`fold tool${result?.isError ? ' tool-failed' : ''}`}
      open={change !== null && change.lines.length < 60}
    >
      <summary>
        <Icon name="right" size={12} />
        <span class="tool-name">{shown(block.name)}</span>
        <span class="tool-input mono cut">{oneLine(change?.path || inputSummary(block.input), 300)}</span>
        <span class={`tool-outcome tool-${outcome}`}>
          {outcome === 'done' ? <Icon name="check" size={13} /> : null}
          <span class={outcome === 'failed' ? undefined : 'sr-only'}>{outcome}</span>
          {outcome === 'running' ? <span aria-hidden="true">…</span> : null}
        </span>
      </summary>
      {change === null ? (
        <Input input={block.input} />
      ) : (
        <Diff lines={change.lines} label={`Change of ${shown(change.path)}`} />
      )}
      {result === undefined || result.text === '' ? null : <CutText text={result.text} isCode />}
    </details>
  )
}

/** Each value as it is: a text with its line ends, anything else as JSON. */
const Input = ({ input }: { input: Record<string, unknown> }) => (
  <dl class="input">
    {Object.entries(input).map(([name, value]) => (
      <div key={name}>
        <dt class="faint">{shown(name)}</dt>
        <dd>
          <CutText text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} isCode />
        </dd>
      </div>
    ))}
  </dl>
)

const sourceOf = ({ sender, from, origin }: SentDirective['directive']): string => {
  if (origin !== undefined && 'room' in origin) return `room ${origin.room}`
  if (origin !== undefined && 'channel' in origin) return `channel ${origin.channel}`
  if (origin !== undefined) return 'Rein'
  if (sender.kind === 'user') return sender.via === undefined ? 'you' : `you (${sender.via.name})`
  return from
}

const ToldText = ({ sent, delivery }: { sent: SentDirective; delivery: string | undefined }) => {
  const { directive, state, steps } = sent
  const isOpen = state === 'queued' || state === 'held'
  return (
    <div class="told" role="group" aria-label={`Told by ${sourceOf(directive)}`} data-directive={directive.id}>
      <Meta at={directive.acceptedAt}>
        {shown(sourceOf(directive))}
        {directive.priority === 'normal' ? '' : ` · ${directive.priority}`}
        {directive.expiresAt === null ? '' : ` · until ${timeText(directive.expiresAt, now())}`}
      </Meta>
      <CutText text={directive.text} />
      <div class="told-foot">
        <Receipt receipt={{ state, steps: [...steps] }} />
        {delivery === undefined || state !== 'queued' ? null : <span class="small soft">{shown(delivery)}</span>}
        {isOpen ? (
          <button
            type="button"
            class="button button-plain told-cancel"
            onClick={() => void attempt(() => call('cancel', { id: directive.id }))}
          >
            Take back
          </button>
        ) : null}
      </div>
    </div>
  )
}

const waitingLabels = {
  waiting: 'Told by you, not sent yet',
  sending: 'Told by you, being sent',
  unknown: 'Told by you, not known whether it arrived',
} as const

const UnsentText = ({ outgoing: { id, writtenAt, text, wasTried } }: { outgoing: Outgoing }) => {
  const state = outbox.underWay.value.has(id) ? 'sending' : wasTried ? 'unknown' : 'waiting'
  const refusal = outbox.refusals.value.get(id)
  return (
    <div class="told told-waiting" role="group" aria-label={waitingLabels[state]} data-directive={id}>
      <Meta at={writtenAt}>you</Meta>
      <CutText text={text} />
      {refusal === undefined ? null : <p class="notice notice-bad">{shown(failureText(refusal))}</p>}
      <div class="told-foot">
        <Receipt receipt={{ state, steps: [] }} />
        {state === 'sending' ? null : (
          <button type="button" class="button button-plain told-cancel" onClick={() => void outbox.discard(id)}>
            {state === 'unknown' ? 'Forget' : 'Take back'}
          </button>
        )}
      </div>
    </div>
  )
}
