import type { Mention } from '../../../contract/team.ts'

export interface NamedMention {
  /** A handle, or `all`; in small letters. */
  name: string
  kind: Mention['kind']
}

/** A name that nothing makes an address, a path, a package or a longer word; with `\` a name is only written about. */
const mention =
  /:\/\/\S*|(?<![\p{L}\p{N}@/\\])@([A-Za-z0-9][A-Za-z0-9_-]{0,63})(?![\p{L}\p{N}@_-]|[./][\p{L}\p{N}_])(?:\\?([!?]))?/gu

/** Whom a text names, and how. Of several ways the most pressing one counts; that somebody is asked about stands by itself. */
export const parseMentions = (text: string): NamedMention[] => {
  if (!text.includes('@')) return []
  const found = new Map<string, NamedMention>()
  for (const paragraph of prose(text)) {
    if (!paragraph.includes('@')) continue
    for (const [, name, mark] of withoutCodeSpans(paragraph).matchAll(mention)) {
      if (name !== undefined) note(found, { name: name.toLowerCase(), kind: kindOf(mark) })
    }
  }
  return [...found.values()]
}

/** The same text, but it names nobody. */
export const neutralised = (text: string): string => text.replaceAll(/@(?=[A-Za-z0-9])/g, '＠')

const kindOf = (mark: string | undefined): Mention['kind'] => {
  if (mark === undefined) return 'plain'
  return mark === '!' ? 'urgent' : 'query'
}

const note = (found: Map<string, NamedMention>, one: NamedMention): void => {
  const key = one.kind === 'query' ? `?${one.name}` : one.name
  const known = found.get(key)
  if (known === undefined) found.set(key, one)
  else if (one.kind === 'urgent') known.kind = 'urgent'
}

const fence = /^[ \t>]*(`{3,}|~{3,})(.*)$/s
const isIndented = /^(?: {4}| {0,3}\t)/

/** The paragraphs of a text without its blocks of code, as Markdown has them. */
function* prose(text: string): Generator<string> {
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

/** The marks that began the block of code in which the next line is; null if it is in none. */
const fenceAfter = (line: string, open: string | null): string | null => {
  const found = line.includes('```') || line.includes('~~~') ? fence.exec(line) : null
  if (found === null) return open
  const marks = found[1] ?? ''
  const rest = found[2] ?? ''
  if (open !== null) return marks.startsWith(open) && rest.trim() === '' ? null : open
  return marks.startsWith('`') && rest.includes('`') ? null : marks
}

interface Row {
  at: number
  end: number
}

/** Code in a line stands between two equally long rows of backticks; a row without its like is only backticks. */
const withoutCodeSpans = (paragraph: string): string => {
  const rows = backticksIn(paragraph)
  const next = nextAlike(rows)
  const kept: string[] = []
  let from = 0
  for (const [index, { at }] of rows.entries()) {
    const end = next[index]?.end
    if (end === undefined || at < from) continue
    kept.push(paragraph.slice(from, at))
    from = end
  }
  return [...kept, paragraph.slice(from)].join('``')
}

const backticksIn = (text: string): Row[] => {
  const rows: Row[] = []
  for (let at = text.indexOf('`'); at !== -1; at = text.indexOf('`', rows.at(-1)?.end)) {
    let end = at
    while (text[end] === '`') end += 1
    rows.push({ at, end })
  }
  return rows
}

/** For each row the next one of its length, if there is one. */
const nextAlike = (rows: readonly Row[]): (Row | undefined)[] => {
  const seen = new Map<number, Row>()
  return rows
    .toReversed()
    .map((row) => {
      const next = seen.get(row.end - row.at)
      seen.set(row.end - row.at, row)
      return next
    })
    .toReversed()
}
