import { type ParsedScript, parse } from 'unbash'
import type { WorkBudget } from '../util/work-budget.ts'

/** The parser takes its time over what is nested deeper, and nobody nests so deep. */
const DEEPEST = 50
/** Signs at which the parser has something to do. */
const SIGNS = new Set(Array.from(' \t\n|&;()<>{}$`"\'\\[]*?#=', (sign) => sign.charCodeAt(0)))
const SIGN_UNITS = 16
/** Each here-document is looked for to the end of the text. */
const LETTERS_LOOKED_AT_PER_UNIT = 16

/** The one way to the parser, which bounds nothing by itself. */
export function parseWithin(work: WorkBudget, text: string): ParsedScript {
  let signs = 0
  let documents = 0
  for (let at = 0; at < text.length; at++) {
    if (!SIGNS.has(text.charCodeAt(at))) continue
    signs++
    if (text[at] === '<' && text[at + 1] === '<') documents++
  }
  work.spend(text.length + SIGN_UNITS * (1 + signs) + (documents * text.length) / LETTERS_LOOKED_AT_PER_UNIT)
  return parse(text)
}

/** By all brackets, of which any may close any; and by braces alone, each of which the parser looks for to the end. */
export function isTooDeep(source: string): boolean {
  let [depth, braces] = [0, 0]
  for (const [bracket] of source.matchAll(/[([{)\]}]/g)) {
    depth = '([{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1)
    if (bracket === '{') braces++
    else if (bracket === '}') braces = Math.max(0, braces - 1)
    if (depth > DEEPEST || braces > DEEPEST) return true
  }
  return false
}
