import type { WordPart } from 'unbash'
import type { WorkBudget } from '../util/work-budget.ts'
import { WORD_UNITS } from './state.ts'

const MOST = 1_000
/** Of numbers or letters in a row some say what all do. */
const MOST_IN_RANGE = 64
const LONGEST = 4_096
const RANGE = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/

/** The words that `a{b,c}` or `{1..3}` stand for, each as a shell would read it next. None is left out in silence. */
export function expandBraces(parts: readonly WordPart[], work: WorkBudget): readonly string[] {
  let all: readonly string[] = ['']
  for (const part of parts) {
    const options = part.type === 'BraceExpansion' ? alternatives(part.text, MOST / all.length, work) : [part.text]
    work.spend(WORD_UNITS * all.length * options.length)
    all = all.flatMap((before) => options.map((option) => before + option))
    if (all.length > MOST || all.some(({ length }) => length > LONGEST)) work.exhaust()
  }
  return all
}

function alternatives(text: string, room: number, work: WorkBudget): readonly string[] {
  work.spend(WORD_UNITS + text.length)
  const inner = text.slice(1, -1)
  const range = RANGE.exec(inner)
  if (range !== null) return rangeOf(range[1] ?? '', range[2] ?? '', Math.max(1, Math.floor(room)))
  return splitAtCommas(inner).flatMap((each) => nested(each, room, work))
}

/** A brace within an alternative is expanded as well. */
function nested(text: string, room: number, work: WorkBudget): readonly string[] {
  work.spend(WORD_UNITS + text.length)
  const open = text.indexOf('{')
  const close = open < 0 ? -1 : closing(text, open)
  if (close < 0 || !text.slice(open, close).includes(',') || text[open - 1] === '$') return [text]
  const [before, after] = [text.slice(0, open), text.slice(close + 1)]
  return alternatives(text.slice(open, close + 1), room, work).flatMap((each) =>
    nested(before + each + after, room, work),
  )
}

function closing(text: string, open: number): number {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}

function splitAtCommas(text: string): readonly string[] {
  const pieces = ['']
  let depth = 0
  let quote = ''
  for (const char of text) {
    if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"') quote = char
    else if ('{('.includes(char)) depth++
    else if ('})'.includes(char)) depth--
    if (char === ',' && depth === 0 && quote === '') pieces.push('')
    else pieces[pieces.length - 1] += char
  }
  return pieces
}

function rangeOf(from: string, to: string, room: number): readonly string[] {
  const isNumber = /\d/.test(from) && /\d/.test(to)
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)]
  const count = Math.min(MOST_IN_RANGE, room, Math.abs(last - first) + 1)
  const step = last < first ? -1 : 1
  return Array.from({ length: count }, (_, index) => {
    const value = first + index * step
    return isNumber ? String(value) : String.fromCharCode(value)
  })
}
