import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { ReinError } from '../../contract/errors.ts'
import { Icon } from './icon.tsx'
import { mostShown, type Toast, withToast } from './toast-list.ts'

const toasts = signal<readonly Toast[]>([])
const shownMs = 6_000
let lastId = 0

const dismiss = (id: number): void => {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

const show = (tone: Toast['tone'], text: string, hint?: string): void => {
  lastId += 1
  const id = lastId
  toasts.value = withToast(toasts.value, { id, tone, text, hint })
  // A failure stays until it was read.
  if (tone === 'good') setTimeout(() => dismiss(id), shownMs)
}

export const tellSuccess = (text: string): void => show('good', text)

export const tellFailure = (cause: unknown): void => {
  if (cause instanceof ReinError) show('bad', cause.message, cause.hint)
  else show('bad', cause instanceof Error ? cause.message : String(cause))
}

/** Does it; a failure is shown. */
export const attempt = async <T,>(act: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await act()
  } catch (cause) {
    tellFailure(cause)
    return undefined
  }
}

export const Toasts = () => {
  const list = useRef<HTMLDivElement>(null)
  const shown = toasts.value
  // Of more than there is room for, the newest is seen.
  useLayoutEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [shown.at(-1)?.id])
  return (
    <div class="toasts" role="status" aria-live="polite" ref={list}>
      {shown.map(({ id, tone, text, hint }) => (
        <div key={id} class={`toast toast-${tone}`}>
          <div class="toast-text">
            {text}
            {hint === undefined ? null : <div class="toast-hint">{hint}</div>}
          </div>
          <button type="button" class="button button-plain" aria-label="Dismiss" onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
      {shown.length > mostShown ? (
        <button type="button" class="button" onClick={() => (toasts.value = [])}>
          Dismiss all
        </button>
      ) : null}
    </div>
  )
}
