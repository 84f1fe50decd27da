import { signal } from '@preact/signals'

const key = 'rein.letter-keys'

/** Whether keys without Ctrl are shortcuts: who speaks to the machine, or hits keys by accident, switches them off. */
export const hasLetterKeys = signal(localStorage.getItem(key) !== 'off')

export const setLetterKeys = (isOn: boolean): void => {
  hasLetterKeys.value = isOn
  if (isOn) localStorage.removeItem(key)
  else localStorage.setItem(key, 'off')
}
