import type { WordPart } from 'unbash'

const MOST = 64
const LONGEST = 4_096
const RANGE = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.-?\d+)?$/

/** The words that `a{b,c}` or `{1..3}` stand for, each as a shell would read it next. */
export function expandBraces(parts: readonly WordPart[]): readonly string[] {
  let all: readonly string[] = ['']
  for (const part of parts) {
    const options = part.type === 'BraceExpansion' ? alternatives(part.text) : [part.text]
    all = all
      .flatMap((before) => options.map((option) => before + option))
      .filter(({ length }) => length <= LONGEST)
      .slice(0, MOST)
  }
  return all
}

function alternatives(text: string): readonly string[] {
  const inner = text.slice(1, -1)
  const range = RANGE.exec(inner)
  if (range !== null) return rangeOf(range[1] ?? '', range[2] ?? '')
  return splitAtCommas(inner).flatMap(nested).slice(0, MOST)
}

/** A brace within an alternative is expanded as well. */
function nested(text: string): readonly string[] {
  const open = text.indexOf('{')
  const close = open < 0 ? -1 : closing(text, open)
  if (close < 0 || !text.slice(open, close).includes(',') || text[open - 1] === '$') return [text]
  const [before, after] = [text.slice(0, open), text.slice(close + 1)]
  return alternatives(text.slice(open, close + 1)).flatMap((each) => nested(before + each + after))
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

function rangeOf(from: string, to: string): readonly string[] {
  const isNumber = /\d/.test(from) && /\d/.test(to)
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)]
  const count = Math.min(MOST, Math.abs(last - first) + 1)
  const step = last < first ? -1 : 1
  return Array.from({ length: count }, (_, index) => {
    const value = first + index * step
    return isNumber ? String(value) : String.fromCharCode(value)
  })
}
