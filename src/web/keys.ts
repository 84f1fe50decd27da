import { signal } from '@preact/signals'
import { decideKey } from './key-act.ts'
import { go } from './router.ts'
import { hasLetterKeys } from './store/letter-keys.ts'
import { views } from './views/index.ts'

export const isPaletteOpen = signal(false)

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const paths = new Map(views.flatMap(({ nav, path }) => (nav === undefined ? [] : [[nav.key, path] as const])))
let isAfterG = false

const onKey = (event: KeyboardEvent): void => {
  const isTaken = isTyping(event.target) || document.querySelector('dialog[open]') !== null
  const decided = decideKey(event, { isAfterG, isTaken, hasLetters: hasLetterKeys.value, paths })
  const { act } = decided
  isAfterG = decided.isAfterG
  if (act === null) return
  event.preventDefault()
  if (act === 'palette') isPaletteOpen.value = !isPaletteOpen.value
  else if (act === 'tell') document.getElementById('tell')?.focus()
  else go(act.go)
}

export const listenToKeys = (): void => {
  addEventListener('keydown', onKey)
}
