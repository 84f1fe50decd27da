import type { Span } from '../terminal/line.ts'
import { type Language, languageOf } from './languages.ts'

/** What ends the comment or string that a line begins in; empty in plain code. */
export type Inside = string

interface Highlighted {
  spans: Span[]
  inside: Inside
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&')

const patternOf = ({ comment, spanning, quotes, hasKeys }: Language): RegExp => {
  const parts = [
    ...(comment === '' ? [] : [`(?<comment>${escaped(comment)}.*)`]),
    ...spanning.map(([begin]) => escaped(begin)).map((begin, index) => `(?<spanning${index}>${begin})`),
    ...(hasKeys ? [`(?<key>"(?:[^"\\\\]|\\\\.)*"(?=\\s*:)|[\\w.@-]+(?=\\s*[:=]))`] : []),
    ...Array.from(quotes, (quote, index) => `(?<string${index}>${quote}(?:[^${quote}\\\\]|\\\\.)*${quote})`),
    '(?<number>\\b\\d[\\w.]*)',
    '(?<word>[A-Za-z_$][\\w$]*)',
  ]
  return new RegExp(parts.join('|'), 'g')
}

const patterns = new Map<Language, RegExp>()
/** One line of code in colours; what a line begins in is all that it needs of those before it. */
export const highlight = (line: string, name: string, inside: Inside): Highlighted => {
  if (/^(diff|patch)$/.test(name)) return { spans: [patchSpan(line)], inside }
  const language = languageOf(name)
  if (language === undefined) return { spans: [{ text: line }], inside: '' }
  if (inside !== '') return highlightInside(line, name, inside)
  const spans: Span[] = []
  let at = 0
  const pattern = patterns.get(language) ?? patternOf(language)
  patterns.set(language, pattern)
  for (const match of line.matchAll(pattern)) {
    if (match.index > at) spans.push({ text: line.slice(at, match.index) })
    at = match.index + match[0].length
    const groups = match.groups ?? {}
    const end = language.spanning.find((_, index) => groups[`spanning${index}`] !== undefined)?.[1]
    if (end !== undefined) {
      const rest = highlightInside(line.slice(at), name, end)
      return {
        ...rest,
        spans: [...spans, { text: match[0], tone: toneOfSpan(end) }, ...rest.spans],
      }
    }
    spans.push({ text: match[0], ...toned(match, language) })
  }
  return { spans: [...spans, { text: line.slice(at) }], inside: '' }
}

/** A line of a patch as `diff -u` writes it. */
export const patchSpan = (text: string): Span => {
  if (text.startsWith('+')) return { text, tone: 'green' }
  if (text.startsWith('-')) return { text, tone: 'red' }
  return text.startsWith('@@') ? { text, tone: 'cyan' } : { text }
}

const toneOfSpan = (end: string): Span['tone'] => (/^(\*\/|-->|=end)$/.test(end) ? 'dim' : 'green')

const highlightInside = (line: string, name: string, inside: Inside): Highlighted => {
  const end = line.indexOf(inside)
  if (end < 0) return { spans: [{ text: line, tone: toneOfSpan(inside) }], inside }
  const rest = highlight(line.slice(end + inside.length), name, '')
  return { ...rest, spans: [{ text: line.slice(0, end + inside.length), tone: toneOfSpan(inside) }, ...rest.spans] }
}

type Groups = Record<string, string | undefined>

const toned = (match: RegExpMatchArray, { keywords }: Language): Pick<Span, 'tone'> => {
  const groups: Groups = match.groups ?? {}
  if (groups['word'] !== undefined) {
    if (
      keywords.has(/^[A-Z]+$/.test(groups['word']) ? groups['word'].toLowerCase() : groups['word']) ||
      keywords.has(groups['word'])
    )
      return { tone: 'magenta' }
    return /^[A-Z]\w*[a-z]/.test(groups['word']) ? { tone: 'cyan' } : {}
  }
  if (groups['comment'] !== undefined) return { tone: 'dim' }
  if (groups['key'] !== undefined) return { tone: 'cyan' }
  return { tone: groups['number'] === undefined ? 'green' : 'yellow' }
}
