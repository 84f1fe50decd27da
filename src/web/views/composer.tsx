import { useId, useRef, useState } from 'preact/hooks'
import { isOpen, may } from '../link/api.ts'
import { hasKeyboard } from '../parts/has-keyboard.ts'
import { Icon } from '../parts/icon.tsx'
import { stepIn } from '../parts/step-in.ts'
import { leftUnsent } from '../store/left-unsent.ts'
import { roomTarget } from '../store/target.ts'
import { drafts } from '../store/tell.ts'
import { completeMention, findNames, mentionAt, preselectName } from '../store/mention.ts'

interface ComposerProps {
  /** Who may be named. */
  names: readonly string[]
  project: string
  room: string
  /** False: it was not sent, and the text stays. */
  send: (text: string) => Promise<boolean>
}

export const Composer = ({ names, project, room, send }: ComposerProps) => {
  const target = roomTarget(project, room)
  const draft = drafts.of(target)
  const text = draft.value
  const [caret, setCaret] = useState(0)
  const [isSending, setSending] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const { typed, found, active, step, close, reopen } = useNames(names, text, caret)
  const write = (value: string): void => drafts.write(target, value)
  const read = (): void => {
    write(area.current?.value ?? '')
    setCaret(area.current?.selectionStart ?? 0)
    reopen()
  }
  const accept = (name: string | undefined): void => {
    const element = area.current
    if (typed === null || name === undefined || element === null) return
    const next = completeMention(text, caret, typed, name)
    element.value = next.text
    element.setSelectionRange(next.caret, next.caret)
    element.focus()
    read()
  }
  const submit = async (): Promise<void> => {
    if (text.trim() === '' || isSending || !isOpen.value) return
    setSending(true)
    const isSent = await send(text)
    setSending(false)
    if (isSent) write(leftUnsent(text, draft.value))
    area.current?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    const steps = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    if (isSend) void submit()
    else if (found.length > 0 && steps !== undefined) step(steps)
    else if (active >= 0 && (event.key === 'Enter' || event.key === 'Tab')) accept(found[active])
    else if (found.length > 0 && event.key === 'Escape') close()
    else if (event.key === 'Enter' && hasKeyboard && !event.shiftKey) void submit()
    else return
    event.preventDefault()
  }
  if (!may('tell')) return <p class="composer-off soft">This device may not write.</p>
  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <div class="composer-field grow">
        <Names id={listId} names={found} active={active} onChoose={accept} />
        <textarea
          ref={area}
          rows={hasKeyboard ? 2 : 1}
          value={text}
          aria-label={`Write in ${room}`}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={found.length > 0 ? listId : undefined}
          aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
          placeholder="Message; @name wakes"
          title="@name wakes, @name! is urgent, @name? asks Rein for its state"
          onInput={read}
          onKeyDown={onKey}
          onClick={read}
        />
      </div>
      <button type="submit" class="button button-main" disabled={isSending || !isOpen.value || text.trim() === ''}>
        <Icon name="send" /> Send
      </button>
    </form>
  )
}

/** The names that fit what is typed at the caret, and which of them Enter takes. */
const useNames = (names: readonly string[], text: string, caret: number) => {
  /** Null: nothing was chosen yet. */
  const [chosen, setChosen] = useState<number | null>(null)
  const [isClosed, setClosed] = useState(false)
  const typed = isClosed ? null : mentionAt(text, caret)
  const found = typed === null ? [] : findNames(names, typed.typed)
  const active = Math.min(chosen ?? preselectName(names, typed?.typed ?? ''), found.length - 1)
  const reopen = (): void => {
    setChosen(null)
    setClosed(false)
  }
  return {
    typed,
    found,
    active,
    step: (by: 1 | -1): void => setChosen(stepIn(found.length, active, by)),
    close: (): void => setClosed(true),
    reopen,
  }
}

interface NamesProps {
  id: string
  names: readonly string[]
  active: number
  onChoose: (name: string) => void
}

const Names = ({ id, names, active, onChoose }: NamesProps) =>
  names.length === 0 ? null : (
    <ul class="names" id={id} role="listbox" aria-label="Who is meant">
      {names.map((name, at) => (
        <li
          key={name}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === active}
          class={at === active ? 'names-one is-active' : 'names-one'}
          // Before the field loses the focus.
          onPointerDown={(event) => {
            event.preventDefault()
            onChoose(name)
          }}
        >
          @{name}
        </li>
      ))}
    </ul>
  )
