import type { Piece, ShellRedirect, ShellWord, SimpleCommand } from './flatten.ts'
import { baseName, isSubcommand, programIndex } from './programs.ts'
import { slotOf, type SlotKind, wordSlot } from './slots.ts'

/** A changing word of a line: where it is and what it is. */
export interface FilledSlot {
  readonly kind: SlotKind
  readonly text: string
  readonly pos: number
}

interface Rendered {
  readonly template: string
  readonly slots: readonly FilledSlot[]
}

const LONGEST = 400
const TRIMMERS = new Set(['tail', 'head'])
const SEVERAL = /(<PATH>|<W>)(?: \1)+/g

/** A line with its changing words taken out; what only moves into a directory or trims the output is left out. */
export function render(pieces: readonly Piece[]): Rendered {
  const tokens: string[] = []
  const slots: FilledSlot[] = []
  for (const piece of trimmed(pieces)) {
    if ('joint' in piece) tokens.push(piece.joint)
    else if (!renderCommand(piece.command, tokens, slots)) break
  }
  return { template: tokens.join(' ').replace(SEVERAL, '$1+').slice(0, LONGEST), slots }
}

/** Without `cd x &&` before and `| tail -20` after it. */
export function trimmed(pieces: readonly Piece[]): readonly Piece[] {
  let start = 0
  while (isMove(pieces[start], pieces[start + 1]) && start + 2 < pieces.length) start += 2
  let end = pieces.length
  while (end - start > 2 && isTrimmer(pieces[end - 2], pieces[end - 1])) end -= 2
  return pieces.slice(start, end)
}

const isMove = (piece: Piece | undefined, next: Piece | undefined): boolean =>
  piece !== undefined &&
  'command' in piece &&
  piece.command.words.length === 2 &&
  piece.command.words[0]?.text === 'cd' &&
  next !== undefined &&
  'joint' in next &&
  (next.joint === '&&' || next.joint === ';')

const isTrimmer = (before: Piece | undefined, piece: Piece | undefined): boolean =>
  before !== undefined &&
  'joint' in before &&
  before.joint === '|' &&
  piece !== undefined &&
  'command' in piece &&
  TRIMMERS.has(piece.command.words[0]?.text ?? '') &&
  piece.command.words.slice(1).every(({ text }) => /^-?(?:[nc]|\d+|[nc]\d+)$/.test(text))

/** False if the rest of the line is the text of a document, which is never the same twice. */
function renderCommand(command: SimpleCommand, tokens: string[], slots: FilledSlot[]): boolean {
  for (const word of command.assignments) addWord(word, tokens, slots)
  // `git -C x` is git elsewhere.
  const words =
    command.words[0]?.text === 'git' && command.words[1]?.text === '-C'
      ? [command.words[0], ...command.words.slice(3)]
      : command.words
  const start = programIndex(words.map(({ text }) => text))
  for (const [index, word] of words.entries()) {
    if (index === 0 || index === start)
      tokens.push(/^[/~]/.test(word.text) ? `<BIN>/${baseName(word.text)}` : word.text)
    else if (!isOwn(words, start, index)) addWord(word, tokens, slots)
    else tokens.push(word.text)
  }
  for (const redirect of command.redirects) if (!renderRedirect(redirect, tokens, slots)) return false
  return true
}

const isOwn = (words: readonly ShellWord[], start: number, index: number): boolean => {
  const text = words[index]?.text ?? ''
  if (slotOf(text) !== undefined || index < start) return false
  return isSubcommand(baseName(words[start]?.text ?? ''), index - start, text, words[index - 1]?.text ?? '')
}

function addWord(word: ShellWord, tokens: string[], slots: FilledSlot[]): void {
  const slot = slotOf(word.text) ?? (word.text.startsWith('-') || word.text.startsWith('HEAD') ? undefined : wordSlot)
  tokens.push(slot?.shown ?? word.text)
  if (slot !== undefined) slots.push({ kind: slot.kind, text: word.text.slice(slot.from), pos: word.pos + slot.from })
}

function renderRedirect({ operator, target }: ShellRedirect, tokens: string[], slots: FilledSlot[]): boolean {
  if (operator.startsWith('<<') && operator !== '<<<') {
    tokens.push('<<HEREDOC')
    return false
  }
  if (target === undefined || operator.endsWith('&') || target.text === '/dev/null') return true
  tokens.push(operator, '<PATH>')
  slots.push({ kind: 'path', text: target.text, pos: target.pos })
  return true
}
