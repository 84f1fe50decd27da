import { signal } from '@preact/signals'

export const themes = ['auto', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'rein.theme'
const kept = localStorage.getItem(key)

export const theme = signal<Theme>(themes.find((each) => each === kept) ?? 'auto')

/** The chosen theme, for all colours. */
export const applyTheme = (): void => {
  document.documentElement.dataset['theme'] = theme.value
}

export const setTheme = (chosen: Theme): void => {
  theme.value = chosen
  localStorage.setItem(key, chosen)
  applyTheme()
}
