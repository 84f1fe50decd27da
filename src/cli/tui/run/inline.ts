import { wrapAt } from '../../cells.ts'
import type { Line, Span } from '../terminal/line.ts'

const marked =
  /(?<!`)(?<code>`{1,3})(?!`)(?<verbatim>.+?)(?<!`)\k<code>(?!`)|\*\*(?<bold>[^\s*](?:.*?[^\s])?)\*\*|(?<![\w*])\*(?<star>[^\s*](?:[^*]*[^\s*])?)\*(?!\w)|(?<!\w)_(?<under>[^\s_](?:[^_]*[^\s_])?)_(?!\w)|~~(?<struck>[^~]+)~~|!?\[(?<label>[^\]]*)\]\((?<url>[^()\s]+)\)/g

/** What stands in a line of Markdown: emphasis, code and links; marks that belong to nothing stay as they are. */
export const inline = (text: string, tone?: Span['tone']): Span[] => {
  const spans: Span[] = []
  let at = 0
  for (const match of text.matchAll(marked)) {
    spans.push({ text: text.slice(at, match.index), tone }, ...emphasised(match, tone))
    at = match.index + match[0].length
  }
  return [...spans, { text: text.slice(at), tone }].filter((span) => span.text !== '')
}

const emphasised = ({ groups = {} }: RegExpMatchArray, tone: Span['tone']): Span[] => {
  const { verbatim, bold, star, under, struck, label, url } = groups as Record<string, string | undefined>
  if (verbatim !== undefined) return [{ text: verbatim, tone: 'cyan' }]
  if (bold !== undefined) return [{ text: bold.replaceAll(/[*`]/g, ''), tone: 'bold' }]
  if (struck !== undefined) return [{ text: struck, tone: 'dim' }]
  if (url !== undefined)
    return label === '' || label === url ? [link(url)] : [{ text: `${label} `, tone }, link(`(${url})`)]
  return [{ text: star ?? under ?? '', tone: 'italic' }]
}

const link = (text: string): Span => ({ text, tone: 'dim' })

/** A line broken into several of at most so many cells; those after the first begin with so many spaces. */
export const wrapSpans = (spans: readonly Span[], columns: number, indent = 0): Line[] => {
  const text = spans.map((span) => span.text).join('')
  return wrapAt(text, columns, indent).map(([from, to], index) => [
    ...(index > 0 && indent > 0 ? [{ text: ' '.repeat(indent) }] : []),
    ...slice(spans, from, to),
  ])
}

const slice = (spans: readonly Span[], from: number, to: number): Span[] => {
  let at = 0
  return spans.flatMap((span) => {
    const begin = at
    at += span.text.length
    const text = span.text.slice(Math.max(0, from - begin), Math.max(0, to - begin))
    return text === '' ? [] : [{ ...span, text }]
  })
}
