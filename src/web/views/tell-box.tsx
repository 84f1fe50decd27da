import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { Priority } from '../../contract/directive.ts'
import { connection } from '../link/api.ts'
import { hasKeyboard } from '../parts/has-keyboard.ts'
import { Icon } from '../parts/icon.tsx'
import { hasLetterKeys } from '../store/letter-keys.ts'
import type { Target } from '../store/target.ts'
import { drafts, tellAgent } from '../store/tell.ts'

const priorities: Record<Priority, string> = {
  low: 'low: when it is idle',
  normal: 'normal priority',
  high: 'high: before others',
  urgent: 'urgent: its tools wait',
}
const minute = 60_000
const expiries: readonly [words: string, ms: number | null][] = [
  ['never expires', null],
  ['10 minutes', 10 * minute],
  ['1 hour', 60 * minute],
  ['1 day', 24 * 60 * minute],
]

export const TellBox = ({ project, handle }: Target) => {
  const text = drafts.of({ project, handle })
  const priority = useSignal<Priority>('normal')
  const expiry = useSignal(0)
  const area = useRef<HTMLTextAreaElement>(null)
  const write = (value: string): void => drafts.write({ project, handle }, value)
  const send = (): void => {
    const said = text.value.trim()
    if (said === '') return
    tellAgent({ project, handle }, said, priority.value, expiries[expiry.value]?.[1] ?? null)
    priority.value = 'normal'
    area.current?.focus()
  }
  return (
    <form
      class="tell"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={area}
        id="tell"
        rows={1}
        value={text.value}
        aria-label={`Tell ${handle}`}
        placeholder={`Tell ${handle} …`}
        onInput={(event) => write(event.currentTarget.value)}
        onKeyDown={(event) => {
          const isSend = event.key === 'Enter' && !event.isComposing
          if (isSend && (event.ctrlKey || event.metaKey || (hasKeyboard && !event.shiftKey))) {
            event.preventDefault()
            send()
          }
        }}
      />
      <button type="submit" class="button button-main" disabled={text.value.trim() === ''}>
        <Icon name="send" /> Tell
      </button>
      <div class="tell-foot">
        <Terms priority={priority} expiry={expiry} />
        <span class="tell-hint faint small">
          {connection.value === 'open'
            ? hasKeyboard
              ? `${hasLetterKeys.value ? 'T to write, ' : ''}Shift+Enter: new line`
              : ''
            : 'Kept here until there is a connection'}
        </span>
      </div>
    </form>
  )
}

const Terms = ({ priority, expiry }: { priority: Signal<Priority>; expiry: Signal<number> }) => (
  <>
    <select
      aria-label="Priority"
      value={priority.value}
      onChange={(event) => (priority.value = event.currentTarget.value as Priority)}
    >
      {Object.entries(priorities).map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
    <select
      aria-label="Expires after"
      value={expiry.value}
      onChange={(event) => (expiry.value = Number(event.currentTarget.value))}
    >
      {expiries.map(([words], at) => (
        <option key={words} value={at}>
          {at === 0 ? words : `expires in ${words}`}
        </option>
      ))}
    </select>
  </>
)
