export interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
  hint: string | undefined
}

/** Failures may be more. */
export const mostShown = 4

/** A failure stays until it was read; one that is told again moves to the end. Of many, what went well gives way. */
export const withToast = (toasts: readonly Toast[], added: Toast): Toast[] => {
  const isSame = ({ tone, text, hint }: Toast): boolean =>
    tone === 'bad' && added.tone === 'bad' && text === added.text && hint === added.hint
  const others = toasts.filter((toast) => !isSame(toast))
  let surplus = others.length + 1 - mostShown
  const kept = others.filter(({ tone }) => tone === 'bad' || surplus-- <= 0)
  return [...kept, added]
}
