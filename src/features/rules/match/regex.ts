import { RE2JS, RE2JSSyntaxException } from 're2js'
import type { TextTarget } from '../../../contract/rule.ts'
import { literalsOfPattern } from '../guard/literals.ts'
import { interpolate } from '../message.ts'
import { type Check, type Doubt, type Fit, type LookText, placeIn, type QuickCheck } from './answer.ts'

/** RE2 takes time that grows with the text alone, so only its length is bounded. */
const textMax = 1024 * 1024
/** More than this is left to the check, between whose expressions others have their turn. */
const quickMax = 32 * 1024
const placesMax = 10

interface Expression {
  test(text: string): boolean
  /** The first place with all its groups, and where else it fits. */
  find(text: string): { spans: { start: number; end: number }[]; captures: Record<string, string> } | null
  /** The first place, or each, with another text; null where there is none. */
  replace(text: string, isEverywhere: boolean, by: (captures: Record<string, string>) => string): string | null
}

const flagBits: Record<string, number> = { i: RE2JS.CASE_INSENSITIVE, m: RE2JS.MULTILINE, s: RE2JS.DOTALL }

const compile = (pattern: string, flags = ''): RE2JS =>
  RE2JS.compile(
    pattern,
    Array.from(flags).reduce((bits, flag) => bits | (flagBits[flag] ?? 0), 0),
  )

/** Compiled when it is first needed: of the hundreds in a pack, one call needs a few. `expressionProblem` tells what is wrong before. */
export const expression = (pattern: string, flags = ''): Expression => {
  let compiled: RE2JS | null = null
  const ready = (): RE2JS => (compiled ??= compile(pattern, flags))
  // To look for the words that an expression requires takes a hundredth of the time of the expression.
  let literals: string[] | null | undefined
  const mayFit = (text: string): boolean => {
    if (literals === undefined) literals = literalsOfPattern(pattern)
    if (literals === null) return true
    const lower = text.toLowerCase()
    // Letters of other alphabets may count as `k` and `s` where case does not matter.
    return literals.some((literal) => lower.includes(literal)) || /[^\0-\x7f]/.test(text)
  }
  return {
    test: (text) => mayFit(text) && ready().test(text),
    find: (text) => {
      // To find where it fits takes ten times as long as to tell whether.
      if (!ready().test(text)) return null
      const matching = ready().matcher(text)
      if (!matching.find()) return null
      const captures = capturesOf(ready(), matching)
      const spans = [{ start: matching.start(), end: matching.end() }]
      while (spans.length < placesMax && matching.find()) spans.push({ start: matching.start(), end: matching.end() })
      return { spans, captures }
    },
    replace: (text, isEverywhere, by) => {
      const matching = ready().matcher(text)
      const parts: string[] = []
      let rest = 0
      while (matching.find()) {
        parts.push(text.slice(rest, matching.start()), by(capturesOf(ready(), matching)))
        rest = matching.end()
        if (!isEverywhere) break
      }
      return parts.length === 0 ? null : `${parts.join('')}${text.slice(rest)}`
    },
  }
}

type Matching = ReturnType<RE2JS['matcher']>

const capturesOf = (compiled: RE2JS, matching: Matching): Record<string, string> => {
  const numbered = Array.from({ length: matching.groupCount() + 1 }, (_, index) => [
    String(index),
    matching.group(index),
  ])
  const named = Object.entries(compiled.namedGroups()).map(([name, index]) => [name, matching.group(index)])
  return Object.fromEntries([...numbered, ...named].filter(([, value]) => value !== null)) as Record<string, string>
}

/** The captures of an expression, numbers and names; none if it is invalid. */
export const groupNames = (pattern: string): string[] => {
  if (expressionProblem(pattern) !== null) return []
  const compiled = RE2JS.compile(pattern)
  return [
    ...Array.from({ length: compiled.groupCount() + 1 }, (_, index) => String(index)),
    ...Object.keys(compiled.namedGroups()),
  ]
}

/** Why an expression is none, and what to do instead; null if it is one. */
export const expressionProblem = (pattern: string, flags = ''): { message: string; hint: string } | null => {
  try {
    compile(pattern, flags)
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    return { message: `the pattern is not an RE2 expression: ${reason}`, hint: hintFor(error, pattern) }
  }
}

const hintFor = (error: unknown, pattern: string): string => {
  if (!(error instanceof RE2JSSyntaxException)) return ''
  if (/\(\?<?[=!]/.test(pattern))
    return 'There is no look-around, so that an expression always takes linear time: match what you want, and take out the rest with a second matcher under `not`.'
  if (/\\[1-9]/.test(pattern))
    return 'There are no back references, so that an expression always takes linear time: write the alternatives out.'
  return 'A `\\` is needed before . + * ? ( ) [ ] { } | ^ $ that mean themselves; in double quotes of YAML it must be doubled.'
}

export const tooLong = (text: string): Doubt | null =>
  text.length <= textMax
    ? null
    : {
        kind: 'doubt',
        why: `the text has ${text.length} characters, more than the ${textMax} that are looked at`,
        advice: 'Do it in smaller parts.',
        isClosed: false,
      }

export const unknownText = (isGuard: boolean, { target }: LookText): Doubt | null =>
  isGuard
    ? {
        kind: 'doubt',
        why: `the ${target} of this call cannot be told`,
        advice: 'Do it in a way that shows the whole text, like writing the whole file.',
        isClosed: false,
      }
    : null

interface RegexOptions {
  pattern: string
  flags?: string | undefined
  on?: TextTarget | undefined
  suggestion?: string | undefined
}

/** Captures with the suggestion that is made of them. */
export const withSuggestion = (
  captures: Record<string, string>,
  suggestion: string | undefined,
): Record<string, string> =>
  suggestion === undefined ? captures : { ...captures, suggestion: interpolate(suggestion, captures) }

export const regexCheck = (options: RegexOptions, isGuard: boolean): { check: Check; quick: QuickCheck } => {
  const { pattern, flags, on = null, suggestion } = options
  const compiled = expression(pattern, flags)
  const inText = (text: LookText, value: string): Fit | null => {
    const found = compiled.find(value)
    if (found === null) return null
    const places = found.spans.map(({ start, end }) => placeIn(text, start, end))
    return { kind: 'fit', captures: withSuggestion(found.captures, suggestion), places }
  }
  return {
    check: async (look) => {
      const text = await look.text(on)
      if (text === null) return null
      if (text.text === null) return unknownText(isGuard, text)
      return tooLong(text.text) ?? inText(text, text.text)
    },
    quick: (look) => {
      const text = look.textNow(on)
      return text === undefined || text.length > quickMax || compiled.test(text)
    },
  }
}
