import type { ScreenOption, ScreenReading } from './contract.ts'
import { hintsIn, keysTo, listedIn } from './shown-options.ts'

const rule = /^[\s│┃╭╰]*[─━▔═]{20,}/
/** An agent that can be interrupted is at work. */
const atWork = /\b(?:esc|escape|ctrl\+c)\b[^·|]{0,12}\b(?:interrupt|stop)\b/i
const prompt = /^\s?(?:[│┃] ?)?[❯›>*!](?:\s|$)/
/** Above and below an input: a line, or a bar where there are colours enough. */
const edge = /^\s*╹?[─━▄▀]{20,}/
/** An input and the text below it take at most this many lines at the end of a screen. */
const inputLines = 12

/** A yes that is also a yes to what comes later is for a person to choose. */
const meansMore = /bypass permissions|auto mode|auto-accept|always|all (?:edits|future)|don.t ask again/i

/** The meaning of an option's label. */
const meaningOf = (label: string): ScreenOption['means'] => {
  if (/^(?:Yes|Allow|Accept|Trust|Use this|Enable selected)\b/i.test(label))
    return meansMore.test(label) ? 'other' : 'allow'
  return /^(?:No\b|Cancel|Deny|Reject|Decline|Exit|Quit|Don.t |Not now|Skip|Continue without|(?:go )?back\b)/i.test(
    label,
  )
    ? 'deny'
    : 'other'
}

/** The options of a dialog without numbers: a list with a mark, or keys that its last line names. */
export const shownOptions = (lines: readonly string[]): { options: ScreenOption[]; line: number } => {
  const listed = listedIn(lines)
  const hints = hintsIn(lines)
  const [isList, first] = [listed.length > 0, listed[0]?.line ?? lines.length]
  const named = isList ? hints.filter(({ keys }) => keys[0] === 'Escape') : hints
  const own = listed.map(
    ({ label, isMarked }, index): ScreenOption => ({
      label: label.replace(/^\d+[.)] /, ''),
      keys: keysTo(listed, index),
      means: meaningOf(label.replace(/^\d+[.)] /, '')),
      isMarked,
    }),
  )
  const further = named.map((hint): ScreenOption => ({ ...hint, means: meaningOf(hint.label) }))
  // Escape is offered only where no line of the list says no.
  const options = [...own, ...further]
  const denying = options.findIndex(({ means }) => means === 'deny')
  return {
    options: options.filter(({ keys, means }, index) => keys[0] !== 'Escape' || means !== 'deny' || index === denying),
    line: first,
  }
}

/** What asks for something on a screen that no driver understands; null if nothing does, or a prompt could be typed there. */
export const dialogShown = (screen: string): Extract<ScreenReading, { kind: 'dialog' }> | null => {
  const shown = screen.trimEnd().split('\n')
  const lines = shown.slice(
    shown.findLastIndex((line, index) => rule.test(line) && hasWords(shown.slice(index + 1))) + 1,
  )
  // The sign of an input stands alone; that of a list has other lines beside it, or says what Enter does.
  const end = shown.slice(-inputLines)
  const hasInput =
    end.some((line) => prompt.test(line)) &&
    hintsIn(end).every(({ keys }) => keys[0] !== 'Enter' && keys[0] !== 'Escape')
  const isAtWork = shown.some((line) => atWork.test(line))
  if (!hasWords(lines) || hasInputBox(shown) || (!hasList(shown) && (isAtWork || hasInput))) return null
  const { options, line } = shownOptions(lines)
  const text = joinFilled(lines)
  const about = line < lines.length ? joinFilled(lines.slice(0, line)) : text
  return { kind: 'dialog', name: 'unknown dialog', asks: 'question', about, text, options }
}

const hasWords = (lines: readonly string[]): boolean => /\p{L}{2}/u.test(lines.join('\n'))

const joinFilled = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .join('\n')

/** A draft of several lines looks like a list, but nothing below it says what Enter or Escape does. */
const hasList = (lines: readonly string[]): boolean => {
  const end = lines.slice(-inputLines * 2)
  const listed = listedIn(end)
  const marked = listed.find(({ isMarked }) => isMarked)
  if (marked === undefined || listed.length < 2) return false
  const isItsOwn = listed.every(({ label }) => /^\d\. /.test(label)) || !bareSign.test(end[marked.line] ?? '')
  return isItsOwn || end.slice(marked.line + 1).some((line) => keyWord.test(line))
}
const bareSign = /^\s?[❯›>*!]/
const keyWord = /\b(?:enter|return|esc|escape)\b/i

/** Between two edges, its sign first; or above the edge of a box without a sign. */
const hasInputBox = (lines: readonly string[]): boolean => {
  const bottom = lines.findLastIndex((line) => edge.test(line))
  const top = lines.findLastIndex((line, index) => index < bottom && edge.test(line))
  if (/^\s*╹▀/.test(lines[bottom] ?? '')) return true
  return top >= 0 && prompt.test(lines[top + 1] ?? '') && listedIn(lines.slice(bottom)).length === 0
}
