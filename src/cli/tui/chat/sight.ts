import type { PostView } from '../../../contract/routes/team.ts'
import { cellWidth, fit, wrap } from '../../cells.ts'
import { formatClock, formatDay } from '../../format.ts'
import { withheld } from '../../chat/text.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Row, Scroll } from '../terminal/scroll.ts'
import { type Chat, isOwn, readersOf } from './model.ts'

interface PostRow extends Row {
  /** The text begins here; above it there may be a rule. */
  isFirst: boolean
}

export interface Pane {
  columns: number
  rows: number
}

/** More of one message than this is read with `rein chat read`. */
const shownCharacters = 10_000
/** As wide as a time and a space: the text of a post never stands where its author does. */
const indent = 6
const widestAuthor = 40
const authorTones = { user: 'green', channel: 'yellow', daemon: 'dim' } as const
/** One for each agent, the same in every terminal; green is for the person, red for trouble. */
const nameTones = ['cyan', 'magenta', 'yellow', 'bold'] as const
const mostReaders = 3
const mention = /(@[A-Za-z0-9][A-Za-z0-9_-]*)/

export const scrollOf = (chat: Chat, columns: number): Scroll<PostRow> => ({
  count: chat.posts.length,
  indexOf: (n) => chat.posts.findLastIndex((post) => post.n <= n),
  rows: (index) => postRows(chat, index, columns),
})

const postRows = (chat: Chat, index: number, columns: number): PostRow[] => {
  const post = chat.posts[index]
  if (post === undefined) return []
  const day = formatDay(post.at)
  const before = chat.posts[index - 1]
  const rules = [
    ...(before !== undefined && formatDay(before.at) === day ? [] : [rule(day, columns)]),
    ...(post.n === chat.newFrom ? [rule('new', columns)] : []),
  ]
  const { names, chosen } = chat
  const author = `${fit(authorOf(post), widestAuthor)}: `
  const text = post.withheld
    ? withheld
    : post.text.length <= shownCharacters
      ? post.text
      : `${post.text.slice(0, shownCharacters)}… (read on: rein chat read ${chosen} --after ${post.n - 1} --limit 1)`
  const [first = '', ...rest] = wrap(`${author}${safe(text)}`, columns - indent)
  const named = new Set([...post.mentions, 'all', ...names])
  const tone = post.author.kind === 'agent' ? nameTone(post.author.handle) : authorTones[post.author.kind]
  const said = first.startsWith(author)
    ? [{ text: author, tone }, ...spans(first.slice(author.length), named, names)]
    : [{ text: first, tone }]
  const lines: Line[] = [
    ...rules,
    [{ text: `${formatClock(post.at)} `, tone: 'dim' }, ...said],
    ...rest.map((line): Line => [{ text: ' '.repeat(indent) }, ...spans(line, named, names)]),
  ]
  if (isOwn(post)) addMark(lines, deliveryMark(chat, post.n), columns)
  return lines.map((line, place) => ({
    n: post.n,
    below: lines.length - 1 - place,
    isFirst: place === rules.length,
    line,
  }))
}

const nameTone = (handle: string): Span['tone'] => {
  const sum = Array.from(handle).reduce((total, character) => (total * 31 + character.charCodeAt(0)) % 65_521, 7)
  return nameTones[sum % nameTones.length]
}

/** What is known of the way of one's own post: it is in the room, and which agents have read it there. */
const deliveryMark = (chat: Chat, n: number): Span => {
  const { handles, isAll } = readersOf(chat, n)
  if (handles.length === 0) return { text: '✓ sent', tone: 'dim' }
  const more = handles.length - mostReaders
  const named = `${handles.slice(0, mostReaders).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  return { text: `✓ seen by ${isAll && handles.length > 1 ? 'all' : named}`, tone: 'green' }
}

/** Behind the text where there is room, else below it. */
const addMark = (lines: Line[], mark: Span, columns: number): void => {
  const last = lines.at(-1) ?? []
  const used = last.reduce((sum, { text }) => sum + cellWidth(text), 0)
  if (used + 2 + cellWidth(mark.text) <= columns) last.push({ text: '  ' }, mark)
  else lines.push([{ text: ' '.repeat(indent) }, { ...mark, text: fit(mark.text, columns - indent) }])
}

const rule = (text: string, columns: number): Line => [
  { text: `── ${text} ${'─'.repeat(Math.max(0, columns - text.length - 4))}`, tone: 'dim' },
]

/** In short; no handle can pass for `you` or for Rein. */
const authorOf = ({ author, from }: PostView): string => {
  if (author.kind === 'agent') return `@${author.handle}`
  return author.kind === 'user' ? 'you' : oneLine(from)
}

/** Names stand out, one's own most. */
const spans = (line: string, named: ReadonlySet<string>, names: readonly string[]): Span[] =>
  line.split(mention).map((text): Span => {
    const name = text.startsWith('@') ? text.slice(1).toLowerCase() : ''
    if (!named.has(name)) return { text }
    return { text, tone: names.includes(name) ? 'inverse' : 'cyan' }
  })
