import { useId, useRef, useState } from 'preact/hooks'
import { isOpen, may } from '../link/api.ts'
import { hasKeyboard } from '../parts/has-keyboard.ts'
import { Icon } from '../parts/icon.tsx'
import { stepIn } from '../parts/step-in.ts'
import { readDraft, writeDraft } from '../store/drafts.ts'
import { leftUnsent } from '../store/left-unsent.ts'
import { completeMention, findNames, mentionAt, preselectName } from '../store/mention.ts'

interface ComposerProps {
  /** Who may be named. */
  names: readonly string[]
  project: string
  room: string
  /** False: it was not sent, and the text stays. */
  send: (text: string) => Promise<boolean>
}

/** A text that survives a reload until it was sent; what is typed meanwhile stays. */
const useDraft = (project: string, room: string) => {
  // No agent has a name like that.
  const draft = { project, handle: `#${room}` }
  const [text, setText] = useState(() => readDraft(draft))
  const write = (value: string): void => {
    setText(value)
    writeDraft(draft, value)
  }
  const takeOut = (sent: string): void => write(leftUnsent(sent, readDraft(draft)))
  return { text, write, takeOut }
}

export const Composer = ({ names, project, room, send }: ComposerProps) => {
  const { text, write, takeOut } = useDraft(project, room)
  const [caret, setCaret] = useState(0)
  /** Null: nothing was chosen yet. */
  const [chosen, setChosen] = useState<number | null>(null)
  const [isClosed, setClosed] = useState(false)
  const [isSending, setSending] = useState(false)
  const area = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const typed = isClosed ? null : mentionAt(text, caret)
  const found = typed === null ? [] : findNames(names, typed.typed)
  const active = Math.min(chosen ?? preselectName(names, typed?.typed ?? ''), found.length - 1)
  const read = (): void => {
    write(area.current?.value ?? '')
    setCaret(area.current?.selectionStart ?? 0)
    setChosen(null)
    setClosed(false)
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
    if (isSent) takeOut(text)
    area.current?.focus()
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
    const step = ({ ArrowDown: 1, ArrowUp: -1 } as const)[event.key]
    if (isSend) void submit()
    else if (found.length > 0 && step !== undefined) setChosen(stepIn(found.length, active, step))
    else if (active >= 0 && (event.key === 'Enter' || event.key === 'Tab')) accept(found[active])
    else if (found.length > 0 && event.key === 'Escape') setClosed(true)
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
