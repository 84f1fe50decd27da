/** A piece of a line: text, or text with a meaning. */
export type Span =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'em'; spans: Span[] }
  | { kind: 'link'; href: string; spans: Span[] }

export type Block =
  | { kind: 'paragraph'; spans: Span[] }
  | { kind: 'heading'; level: number; spans: Span[] }
  | { kind: 'code'; language: string; text: string }
  | { kind: 'list'; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: Span[][]; rows: Span[][][] }
  | { kind: 'rule' }

/** Deeper ones are text: nobody writes them, and a hostile text could. */
const deepest = 6

/** The Markdown that models write, as values: whatever is not understood stays text. */
export const parseMarkdown = (text: string): Block[] => parseBlocks(text.replaceAll('\r\n', '\n').split('\n'), 0)

/** Each takes what it knows from the beginning of a line, and nothing that it could take in two ways: a hostile line costs no more than its length. */
const fencePattern = /^\s{0,3}(`{3,}|~{3,})(.*)$/s
const headingPattern = /^\s{0,3}(#{1,6})\s+/
const rulePattern = /^\s{0,3}([-*_])\s*(?:\1\s*){2,}$/
const itemPattern = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/s
const quotePattern = /^\s{0,3}>\s?(.*)$/s
const dividerCell = /^:?-+:?$/

type Reader = (lines: readonly string[], at: number, depth: number) => { block: Block; next: number } | null

const parseBlocks = (lines: readonly string[], depth: number): Block[] => {
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const found = readBlock(lines, at, depth)
    blocks.push(found.block)
    at = found.next
  }
  return blocks
}

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** A fence and what stands behind it, where no backtick may be. */
const readFence = (line = ''): { fence: string; info: string } | null => {
  const [, fence, info = ''] = fencePattern.exec(line) ?? []
  return fence === undefined || info.includes('`') ? null : { fence, info }
}

const readCode: Reader = (lines, at) => {
  const opened = readFence(lines[at])
  if (opened === null) return null
  const isEnd = (line: string): boolean => line.trim().startsWith(opened.fence) && line.trim().length < 80
  let end = at + 1
  while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1
  const [language] = /^[\w+#.-]*/.exec(opened.info.trimStart()) ?? ['']
  return { block: { kind: 'code', language, text: lines.slice(at + 1, end).join('\n') }, next: end + 1 }
}

const readHeading: Reader = (lines, at) => {
  const line = lines[at] ?? ''
  const [begin = '', marks] = headingPattern.exec(line) ?? []
  if (marks === undefined) return null
  const spans = parseSpans(withoutMarks(line.slice(begin.length).trimEnd()))
  return { block: { kind: 'heading', level: marks.length, spans }, next: at + 1 }
}

/** Without the marks that may close a heading: they stand by themselves. */
const withoutMarks = (text: string): string => {
  const words = text.slice(0, text.length - countAtEnd(text, '#'))
  return words === words.trimEnd() && words !== '' ? text : words.trimEnd()
}

/** How many of these characters end a text. */
const countAtEnd = (text: string, characters: string): number => {
  let count = 0
  while (count < text.length && characters.includes(text[text.length - 1 - count] ?? '')) count += 1
  return count
}

const readRule: Reader = (lines, at) =>
  rulePattern.test(lines[at] ?? '') ? { block: { kind: 'rule' }, next: at + 1 } : null

const readQuote: Reader = (lines, at, depth) => {
  const inside: string[] = []
  let next = at
  for (; next < lines.length; next += 1) {
    const text = quotePattern.exec(lines[next] ?? '')?.[1]
    if (text === undefined) break
    inside.push(text)
  }
  return inside.length === 0 ? null : { block: { kind: 'quote', blocks: parseBlocks(inside, depth + 1) }, next }
}

const readList: Reader = (lines, at, depth) => {
  const [, indent = '', marker] = itemPattern.exec(lines[at] ?? '') ?? []
  if (marker === undefined) return null
  const isOrdered = /\d/.test(marker)
  const items: string[][] = []
  let next = at
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? ''
    const [, itsIndent = '', itsMarker, text = ''] = itemPattern.exec(line) ?? []
    const isDeeper = indentOf(line) > indent.length
    if (itsMarker !== undefined && itsIndent.length <= indent.length) {
      if (/\d/.test(itsMarker) !== isOrdered || rulePattern.test(line)) break
      items.push([text])
    } else if (isBlank(line) ? indentOf(lines[next + 1] ?? '') > indent.length : isDeeper) {
      items.at(-1)?.push(line.slice(Math.min(indentOf(line), indent.length + 2)))
    } else if (isBlank(line) && isSameList(lines[next + 1], indent, isOrdered)) continue
    else break
  }
  const start = isOrdered ? Number.parseInt(marker, 10) : 1
  const blocks = items.map((item) => parseBlocks(item, depth + 1))
  return { block: { kind: 'list', isOrdered, start, items: blocks }, next }
}

const indentOf = (line: string): number => line.length - line.trimStart().length

const isSameList = (line: string | undefined, indent: string, isOrdered: boolean): boolean => {
  const [, itsIndent = '', marker] = itemPattern.exec(line ?? '') ?? []
  return marker !== undefined && itsIndent.length === indent.length && /\d/.test(marker) === isOrdered
}

const readTable: Reader = (lines, at) => {
  const head = lines[at] ?? ''
  const divider = lines[at + 1] ?? ''
  if (!head.includes('|') || !divider.includes('|') || !cellsOf(divider).every(isDivider)) return null
  let next = at + 2
  while (next < lines.length && (lines[next] ?? '').includes('|')) next += 1
  const columns = cellsOf(head).length
  const rows = lines.slice(at + 2, next).map((line) => cellsOf(line).slice(0, columns).map(parseSpans))
  return { block: { kind: 'table', head: cellsOf(head).map(parseSpans), rows }, next }
}

const isDivider = (cell: string): boolean => dividerCell.test(cell)

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim())

const readers: readonly Reader[] = [readCode, readHeading, readRule, readQuote, readList, readTable]

const readBlock = (lines: readonly string[], at: number, depth: number): { block: Block; next: number } => {
  for (const read of depth < deepest ? readers : []) {
    const found = read(lines, at, depth)
    if (found !== null) return found
  }
  let next = at + 1
  while (next < lines.length && !isBlank(lines[next]) && !beginsBlock(lines, next)) next += 1
  return { block: { kind: 'paragraph', spans: parseSpans(lines.slice(at, next).join('\n')) }, next }
}

const beginsBlock = (lines: readonly string[], at: number): boolean => {
  const line = lines[at] ?? ''
  return readFence(line) !== null || [headingPattern, quotePattern, itemPattern].some((pattern) => pattern.test(line))
}

/** Each alternative begins with a character of its own and takes no more than a line or two: the time grows with the text alone. */
const spanPattern =
  /(?<!`)(`+)(?!`)([^\n]{1,2000}?)(?<!`)\1(?!`)|\[([^[\]\n]{1,500})\]\(([^()\s]{1,2000})\)|\*\*(?!\s)([^*\n]{1,2000})\*\*|(?<![\w*])\*(?![\s*])([^*\n]{1,2000})\*(?![\w*])|(?<![\w_])_(?![\s_])([^_\n]{1,2000})_(?![\w_])|(https?:\/\/[^\s<>()[\]"'`]{1,2000})/g

export const parseSpans = (text: string): Span[] => {
  const spans: Span[] = []
  let last = 0
  for (const match of text.matchAll(spanPattern)) {
    const [whole, ticks, code, label, goal, strong, star, low, address] = match
    const target =
      address === undefined ? (goal ?? '') : address.slice(0, address.length - countAtEnd(address, '.,;:!?'))
    const span =
      ticks !== undefined
        ? ({ kind: 'code', text: (code ?? '').trim() } as const)
        : label !== undefined
          ? linkTo(target, label)
          : strong !== undefined
            ? ({ kind: 'strong', spans: parseSpans(strong) } as const)
            : address !== undefined
              ? linkTo(target)
              : ({ kind: 'em', spans: parseSpans(star ?? low ?? '') } as const)
    if (span === null) continue
    if (match.index > last) spans.push({ kind: 'text', text: text.slice(last, match.index) })
    spans.push(span)
    last = match.index + (address === undefined ? whole.length : target.length)
  }
  if (last < text.length) spans.push({ kind: 'text', text: text.slice(last) })
  return spans
}

/** Only addresses of the web are links; any other stays the text that it is. */
const linkTo = (target: string, label?: string): Span | null => {
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) return null
  const { href } = new URL(target)
  return { kind: 'link', href, spans: [{ kind: 'text', text: label ?? target }] }
}

const spanText = (span: Span): string => ('text' in span ? span.text : span.spans.map(spanText).join(''))

/** Markdown that was put on one line, as the words that a reader would see of it; from a table on, it is left out. */
export const plainLine = (line: string): string => {
  const text = /\|\s*:?-{3,}/.test(line) ? line.slice(0, line.indexOf('|')) : line
  const words = text
    .replaceAll(/(^|\s)(?:`{3,}|~{3,})[\w+#.-]*(?=\s|$)/g, '$1')
    .replace(/^\s*(?:#{1,6}|[-*+>])\s+/, '')
    .replaceAll(/\s#{2,6}\s/g, ' ')
  return parseSpans(words).map(spanText).join('').replaceAll(/\s+/g, ' ').trim()
}
