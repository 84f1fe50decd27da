/** A text field of one or several lines, with the history of what was sent. */
export interface Input {
  text: string
  at: number
  history: readonly string[]
  /** How far back in the history; 0 is what is being written. */
  back: number
  /** The unsent text, while an entry of the history is shown. */
  kept: string
}

export const emptyInput: Input = { text: '', at: 0, history: [], back: 0, kept: '' }

const keptLines = 200

export const withText = (input: Input, text: string): Input => ({ ...input, text, at: text.length, back: 0 })

/** Inserts typed or pasted text at the cursor. */
export const insert = (input: Input, more: string): Input => splice(input, input.at, input.at, more)

/** It was sent: the line is empty, and can be had again. */
export const sent = ({ text, history }: Input): Input => {
  const lines = history.at(-1) === text ? history : [...history, text].slice(-keptLines)
  return { ...emptyInput, history: lines }
}

type Edit = (input: Input) => Input

const splice = (input: Input, from: number, to: number, more: string): Input => ({
  ...input,
  text: input.text.slice(0, from) + more + input.text.slice(to),
  at: from + more.length,
})

/** A character beyond the first 65,536 is two units of a string. */
const isHalf = (text: string, at: number): boolean => /[\udc00-\udfff]/.test(text[at] ?? '')
const before = ({ text, at }: Input): number => at - Math.min(at, isHalf(text, at - 1) ? 2 : 1)
const after = ({ text, at }: Input): number =>
  Math.min(text.length, at + String.fromCodePoint(text.codePointAt(at) ?? 0).length)
const wordBefore = ({ text, at }: Input): number => text.slice(0, at).replace(/\S*\s*$/, '').length

const wordAfter = ({ text, at }: Input): number => text.length - text.slice(at).replace(/^\s*\S*/, '').length
const lineBegin = ({ text, at }: Input): number => text.slice(0, at).lastIndexOf('\n') + 1
const lineEnd = ({ text, at }: Input): number => at + text.slice(at).search(/\n|$/)

/** A line up or down, as far from its beginning; null where there is none. */
export const toLine = (input: Input, step: 1 | -1): Input | null => {
  const [begin, end] = [lineBegin(input), lineEnd(input)]
  if (step === -1 ? begin === 0 : end === input.text.length) return null
  const there = { ...input, at: step === -1 ? begin - 1 : end + 1 }
  const at = Math.min(lineBegin(there) + input.at - begin, lineEnd(there))
  return { ...input, at: isHalf(input.text, at) ? at - 1 : at }
}

const remembered = (input: Input, step: number): Input => {
  const { history, text } = input
  const back = Math.min(Math.max(0, input.back + step), history.length)
  if (back === input.back) return input
  const kept = input.back === 0 ? text : input.kept
  const shown = back === 0 ? kept : (history.at(-back) ?? '')
  return { ...withText(input, shown), back, kept }
}

const toBegin: Edit = (input) => ({ ...input, at: lineBegin(input) })
const toEnd: Edit = (input) => ({ ...input, at: lineEnd(input) })

const edits: Record<string, Edit> = {
  newline: (input) => insert(input, '\n'),
  left: (input) => ({ ...input, at: before(input) }),
  right: (input) => ({ ...input, at: after(input) }),
  'word-left': (input) => ({ ...input, at: wordBefore(input) }),
  'word-right': (input) => ({ ...input, at: wordAfter(input) }),
  home: toBegin,
  'ctrl-a': toBegin,
  end: toEnd,
  'ctrl-e': toEnd,
  backspace: (input) => splice(input, before(input), input.at, ''),
  delete: (input) => splice(input, input.at, after(input), ''),
  'delete-word': (input) => splice(input, input.at, wordAfter(input), ''),
  'ctrl-w': (input) => splice(input, wordBefore(input), input.at, ''),
  'ctrl-u': (input) => splice(input, 0, input.at, ''),
  'ctrl-k': (input) => splice(input, input.at, input.text.length, ''),
  up: (input) => remembered(input, 1),
  down: (input) => remembered(input, -1),
}

/** Applies a key; a key that means nothing here changes nothing. */
export const edit = (input: Input, key: string): Input => {
  const known = edits[key]
  if (known !== undefined) return known(input)
  return Array.from(key).length === 1 ? insert(input, key) : input
}
