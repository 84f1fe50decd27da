import type { PostView } from '../../contract/team-api-types.ts'
import { fit, wrap } from '../cells.ts'
import { formatClock, formatDay } from '../format.ts'
import { withheld } from '../room-text.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Chat, Place } from './model.ts'

/** One row of what was said: whose it is, and how many rows of the same post follow. */
export interface Row extends Place {
  /** The text begins here; above it there may be a rule. */
  isFirst: boolean
  line: Line
}

/** The part of the screen that shows posts. */
export interface Pane {
  columns: number
  rows: number
}

/** More of one message than this is read with `rein chat read`. */
const shownCharacters = 10_000
/** As wide as a time and a space: the text of a post never stands where its author does. */
const indent = 6
const widestAuthor = 40
const authorTones = { user: 'green', agent: 'bold', channel: 'yellow', daemon: 'dim' } as const
const mention = /(@[A-Za-z0-9][A-Za-z0-9_-]*)/

/** What is in sight, from top to bottom. */
export const rowsInSight = (chat: Chat, { columns, rows }: Pane): Row[] =>
  take(rowsAbove(chat, columns, chat.bottom), rows).toReversed()

/** So many rows up, but no further than the first; whether that is reached is told, too. */
export const lookUp = (chat: Chat, step: number, { columns, rows }: Pane): { bottom: Place | null; isTop: boolean } => {
  const found = take(rowsAbove(chat, columns, chat.bottom), step + rows)
  const isTop = found.length <= step + rows - 1
  const row = found[Math.max(0, Math.min(step, found.length - rows))]
  if (row === undefined || row === found[0]) return { bottom: chat.bottom, isTop }
  return { bottom: { n: row.n, below: row.below }, isTop }
}

/** So many rows down; beyond the last one it is the newest that are shown. */
export const lookDown = (chat: Chat, step: number, columns: number): Place | null => {
  if (chat.bottom === null) return null
  const found = take(rowsBelow(chat, columns, chat.bottom), step)
  const row = found.at(-1)
  return row === undefined || found.length < step ? null : { n: row.n, below: row.below }
}

const take = (rows: Iterable<Row>, count: number): Row[] => {
  const found: Row[] = []
  if (count > 0) for (const row of rows) if (found.push(row) === count) break
  return found
}

/** From a place upwards; only what is asked for is made. */
function* rowsAbove(chat: Chat, columns: number, from: Place | null): Generator<Row> {
  const { posts } = chat
  const end = from === null ? posts.length : posts.findLastIndex(({ n }) => n <= from.n) + 1
  for (let index = end - 1; index >= 0; index -= 1) {
    const rows = postRows(chat, index, columns)
    const isPartly = from !== null && posts[index]?.n === from.n
    yield* (isPartly ? rows.filter(({ below }) => below >= from.below) : rows).toReversed()
  }
}

function* rowsBelow(chat: Chat, columns: number, from: Place): Generator<Row> {
  const { posts } = chat
  for (let index = posts.findIndex(({ n }) => n >= from.n); index !== -1 && index < posts.length; index += 1) {
    const rows = postRows(chat, index, columns)
    yield* posts[index]?.n === from.n ? rows.filter(({ below }) => below < from.below) : rows
  }
}

const postRows = (chat: Chat, index: number, columns: number): Row[] => {
  const post = chat.posts[index]
  if (post === undefined) return []
  const day = formatDay(post.at)
  const before = chat.posts[index - 1]
  const rules = [
    ...(before !== undefined && formatDay(before.at) === day ? [] : [rule(day, columns)]),
    ...(post.n === chat.newFrom ? [rule('new', columns)] : []),
  ]
  const lines = [...rules, ...postLines(post, chat, columns)]
  return lines.map((line, place) => ({
    n: post.n,
    below: lines.length - 1 - place,
    isFirst: place === rules.length,
    line,
  }))
}

const rule = (text: string, columns: number): Line => [
  { text: `── ${text} ${'─'.repeat(Math.max(0, columns - text.length - 4))}`, tone: 'dim' },
]

const postLines = (post: PostView, { names, chosen }: Chat, columns: number): Line[] => {
  const author = `${fit(authorOf(post), widestAuthor)}: `
  const text = post.withheld ? withheld : shownText(post, chosen)
  const [first = '', ...rest] = wrap(`${author}${safe(text)}`, columns - indent)
  const named = new Set([...post.mentions, 'all', ...names])
  const tone = authorTones[post.author.kind]
  const said = first.startsWith(author)
    ? [{ text: author, tone }, ...spans(first.slice(author.length), named, names)]
    : [{ text: first, tone }]
  return [
    [{ text: `${formatClock(post.at)} `, tone: 'dim' }, ...said],
    ...rest.map((line): Line => [{ text: ' '.repeat(indent) }, ...spans(line, named, names)]),
  ]
}

/** In short; no handle can pass for `you` or for Rein. */
const authorOf = ({ author, from }: PostView): string => {
  if (author.kind === 'agent') return `@${author.handle}`
  return author.kind === 'user' ? 'you' : oneLine(from)
}

const shownText = ({ text, n }: PostView, room: string | null): string =>
  text.length <= shownCharacters
    ? text
    : `${text.slice(0, shownCharacters)}… (read on: rein chat read ${room} --after ${n - 1} --limit 1)`

/** Names stand out, one's own most. */
const spans = (line: string, named: ReadonlySet<string>, names: readonly string[]): Span[] =>
  line.split(mention).map((text): Span => {
    const name = text.startsWith('@') ? text.slice(1).toLowerCase() : ''
    if (!named.has(name)) return { text }
    return { text, tone: names.includes(name) ? 'inverse' : 'cyan' }
  })
