import type { Mention } from '../../../contract/team.ts'

export interface NamedMention {
  /** A handle, or `all`; in small letters. */
  name: string
  kind: Mention['kind']
}

/** A name that is not part of an address, a path, a package or a longer word; `\` before it makes it plain text. */
const mention =
  /:\/\/\S*|(?<![\p{L}\p{N}@/\\])@([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?![\p{L}\p{N}@_-]|[./][\p{L}\p{N}_])(?:\\?([!?]))?/gu

/** The names in a text. Of several kinds of one name the most pressing counts; a query counts by itself. */
export const parseMentions = (text: string): NamedMention[] => {
  if (!text.includes('@')) return []
  const found = new Map<string, NamedMention>()
  for (const paragraph of listParagraphs(text)) {
    if (!paragraph.includes('@')) continue
    for (const [, handle, mark] of removeCodeSpans(paragraph).matchAll(mention)) {
      if (handle === undefined) continue
      const name = handle.toLowerCase()
      const kind = mark === undefined ? 'plain' : mark === '!' ? 'urgent' : 'query'
      const key = kind === 'query' ? `?${name}` : name
      const known = found.get(key)
      if (known === undefined) found.set(key, { name, kind })
      else if (kind === 'urgent') known.kind = 'urgent'
    }
  }
  return [...found.values()]
}

/** The same text without mentions. */
export const neutralised = (text: string): string => text.replaceAll(/@(?=[A-Za-z0-9])/g, '＠')

const fence = /^[ \t>]*(`{3,}|~{3,})(.*)$/s
const isIndented = /^(?: {4}| {0,3}\t)/

/** The paragraphs of a text without its blocks of code, as Markdown has them. */
function* listParagraphs(text: string): Generator<string> {
  let paragraph: string[] = []
  let open: string | null = null
  for (const line of text.split(/\r\n|\n|\r/)) {
    const before: string | null = open
    open = fenceAfter(line, open)
    const isCode = open !== null || before !== null || (paragraph.length === 0 && isIndented.test(line))
    if (!isCode && line.trim() !== '') paragraph.push(line)
    else if (paragraph.length > 0) {
      yield paragraph.join('\n')
      paragraph = []
    }
  }
  yield paragraph.join('\n')
}

/** The marks that opened the code block of the next line; null if it is in none. */
const fenceAfter = (line: string, open: string | null): string | null => {
  const found = line.includes('```') || line.includes('~~~') ? fence.exec(line) : null
  if (found === null) return open
  const marks = found[1] ?? ''
  const rest = found[2] ?? ''
  if (open !== null) return marks.startsWith(open) && rest.trim() === '' ? null : open
  return marks.startsWith('`') && rest.includes('`') ? null : marks
}

/** Code in a line is between two equally long rows of backticks; a row without a match is plain text. */
const removeCodeSpans = (paragraph: string): string => {
  const rows = Array.from(paragraph.matchAll(/`+/g), ({ index, 0: { length } }) => ({ at: index, length }))
  // For each row the end of the next one of its length, if there is one.
  const seen = new Map<number, number>()
  const ends = rows
    .toReversed()
    .map(({ at, length }) => {
      const end = seen.get(length)
      seen.set(length, at + length)
      return end
    })
    .toReversed()
  const kept: string[] = []
  let from = 0
  for (const [index, { at }] of rows.entries()) {
    const end = ends[index]
    if (end === undefined || at < from) continue
    kept.push(paragraph.slice(from, at))
    from = end
  }
  return [...kept, paragraph.slice(from)].join('``')
}
