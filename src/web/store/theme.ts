import { signal } from '@preact/signals'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'rein.theme'
const isTheme = (value: string | null): value is Theme => themes.some((theme) => theme === value)

const readTheme = (): Theme => {
  const kept = localStorage.getItem(key)
  return isTheme(kept) ? kept : 'system'
}

export const theme = signal<Theme>(readTheme())

/** The style sheet has both; without a choice the system decides. */
export const applyTheme = (): void => {
  if (theme.value === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme.value
}

export const chooseTheme = (chosen: Theme): void => {
  theme.value = chosen
  if (chosen === 'system') localStorage.removeItem(key)
  else localStorage.setItem(key, chosen)
  applyTheme()
}
