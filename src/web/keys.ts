import { signal } from '@preact/signals'
import { go } from './router.ts'
import { views } from './views/index.ts'

export const isPaletteOpen = signal(false)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

let isAfterG = false

/** Ctrl-K and `/` open the palette; `g` and a letter go to a view; `t` goes to where an agent is told something. */
const onKey = (event: KeyboardEvent): void => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    event.preventDefault()
    isPaletteOpen.value = !isPaletteOpen.value
    return
  }
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isPaletteOpen.value) return
  const wanted = isAfterG ? views.find(({ nav }) => nav?.key === event.key) : undefined
  isAfterG = event.key === 'g'
  if (wanted !== undefined) return go(wanted.path)
  if (event.key !== '/' && event.key !== 't') return
  event.preventDefault()
  if (event.key === '/') isPaletteOpen.value = true
  else document.getElementById('tell')?.focus()
}

export const listenToKeys = (): void => {
  addEventListener('keydown', onKey)
}
