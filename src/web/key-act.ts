/** What a key does: it goes to a path, opens or closes the palette, or goes to where an agent is told something. */
export type KeyAct = { go: string } | 'palette' | 'tell'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

interface Around {
  /** The key before was `g`. */
  isAfterG: boolean
  /** The person writes, or a dialog is open: a letter is a letter. */
  isTaken: boolean
  /** The person wants shortcuts of one key. */
  hasLetters: boolean
  /** The views, by the letter that follows `g`. */
  paths: ReadonlyMap<string, string>
}

/** Ctrl-K and `/` open the palette; `g` and a letter go to a view; `t` goes to where an agent is told something. */
export const decideKey = (
  { key, ctrlKey, metaKey, altKey }: Pressed,
  { isAfterG, isTaken, hasLetters, paths }: Around,
): { act: KeyAct | null; isAfterG: boolean } => {
  const does = (act: KeyAct | null) => ({ act, isAfterG: false })
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k') return does('palette')
  if (ctrlKey || metaKey || altKey || isTaken || !hasLetters) return does(null)
  const path = isAfterG ? paths.get(key) : undefined
  if (path !== undefined) return does({ go: path })
  if (key === 'g') return { act: null, isAfterG: true }
  if (key === '/') return does('palette')
  return does(key === 't' ? 'tell' : null)
}
