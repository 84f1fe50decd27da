/** What is put around a command without changing what it does: where it runs, and how much of its output is kept. */
export interface Trimming {
  readonly before: string
  readonly core: string
  readonly after: string
}

const BEFORE = /^cd [^\s;&|]+ ?&& ?/
const AFTER = /(?: ?2>&1)?(?: ?\| ?(?:tail|head)(?: -n ?\d+| -\d+)?)?$/

/** Takes a normalised line apart; the three parts make the line again. */
export function trimming(text: string): Trimming {
  const before = BEFORE.exec(text)?.[0] ?? ''
  const rest = text.slice(before.length)
  const after = AFTER.exec(rest)?.[0] ?? ''
  return { before, core: rest.slice(0, rest.length - after.length), after }
}
