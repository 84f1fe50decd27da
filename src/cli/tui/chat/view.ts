import { projectName } from '../../../contract/handle.ts'
import type { RoomView } from '../../../contract/routes/team.ts'
import { cellWidth, fit, fitEnd, pad, wrap } from '../../cells.ts'
import { counted } from '../../format.ts'
import { stateMarks } from '../state-marks.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Caret } from '../terminal/screen.ts'
import type { Size } from '../terminal/terminal.ts'
import { type Chat, chosenRoom } from './model.ts'
import { rowsInSight } from '../terminal/scroll.ts'
import { type Pane, scrollOf } from './sight.ts'

/** Narrower terminals have the rooms in the title. */
const leastForColumn = 60
const widestColumn = 28
const gap = 2
/** Rows that show no posts: title, notice, input. */
const frameRows = 3

interface Picture {
  lines: Line[]
  caret: Caret
}

export const paneOf = ({ columns, rows }: Size): Pane => {
  const beside = columnWidth(columns)
  return { columns: columns - (beside === 0 ? 0 : beside + gap), rows: Math.max(0, rows - frameRows) }
}

const columnWidth = (columns: number): number =>
  columns < leastForColumn ? 0 : Math.min(widestColumn, Math.floor(columns / 4))

export const view = (chat: Chat, size: Size): Picture => {
  const { columns, rows } = size
  const { line, column } = inputLine(chat, columns)
  const width = columnWidth(size.columns)
  const pane = paneOf(size)
  const right: Line[] =
    chat.helpPage === null
      ? chat.rooms.length === 0
        ? emptyLines('A room is where you and the agents of this project talk to each other.', [
            ['/create general', 'makes the first one'],
            ['/help', 'shows all that you can type here'],
          ])
        : chosenRoom(chat)?.posts === 0
          ? emptyLines('Nobody has said anything here yet.', [
              ['Hello!', 'every agent here finds it when it looks'],
              [
                `@${chat.members.find(({ kind }) => kind === 'agent')?.handle ?? 'handle'} hello`,
                'wakes that agent; Tab completes its name',
              ],
              ['@all hello', 'wakes all of them'],
            ])
          : rowsInSight(scrollOf(chat, pane.columns), chat.bottom, pane.rows).map((row) => row.line)
      : helpLines(pane, chat.helpPage)
  const left = width === 0 ? [] : leftLines(chat, width, pane.rows)
  const beside = (row: number): Line =>
    width === 0 ? [] : [left[row] ?? { text: ' '.repeat(width) }, { text: '│ ', tone: 'dim' }]
  const lines = [
    titleLine(chat, columns),
    ...Array.from({ length: pane.rows }, (_, row): Line => [...beside(row), ...(right[row] ?? [])]),
    noticeLine(chat),
    line,
  ]
  return { lines: lines.slice(-rows), caret: { row: rows - 1, column } }
}

const titleLine = (chat: Chat, columns: number): Line => {
  if (chat.trouble !== null) return [{ text: pad(oneLine(chat.trouble), columns), tone: 'red' }]
  const room = chosenRoom(chat)
  if (room === undefined) return [{ text: 'rein chat', tone: 'bold' }]
  if (columnWidth(columns) === 0) {
    // The chosen room comes first: the others may not fit.
    const others = chat.rooms.filter(({ name }) => name !== chat.chosen)
    return [
      { text: `${chat.chosen}`, tone: 'inverse' },
      ...others.map(
        (one): Span => ({ text: `  ${[one.name, countsOf(one)].filter(Boolean).join(' ')}`, tone: toneOf(one) }),
      ),
    ]
  }
  const { project, members, about, paused } = room
  const facts = [
    oneLine(projectName(project)),
    counted(members, 'member'),
    paused ? 'check-ins paused' : '',
    oneLine(about),
  ]
  return [{ text: room.name, tone: 'bold' }, { text: ` · ${facts.filter(Boolean).join(' · ')}` }]
}

const countsOf = ({ unread, mentions }: RoomView): string =>
  [unread > 0 ? String(unread) : '', mentions > 0 ? `@${mentions}` : ''].filter(Boolean).join(' ')

const toneOf = ({ unread, mentions }: RoomView): Span['tone'] => {
  if (mentions > 0) return 'yellow'
  return unread > 0 ? 'bold' : undefined
}

const emptyLines = (first: string, examples: readonly (readonly [string, string])[]): Line[] => [
  [],
  [{ text: first }],
  [],
  ...examples.map(
    ([typed, effect]): Line => [
      { text: `  ${typed.padEnd(20)} `, tone: 'cyan' },
      { text: effect, tone: 'dim' },
    ],
  ),
]

/** Rooms above, below them who is in the chosen one. */
const leftLines = (chat: Chat, width: number, height: number): Span[] => {
  const agents = chat.members.filter(({ kind }) => kind === 'agent')
  const room = Math.min(agents.length, Math.floor(height / 2))
  const rooms = roomLines(chat, width, room === 0 ? height : height - room - 1)
  const members = agents.slice(0, room).map(({ handle, state }): Span => {
    const { mark, tone } = stateMarks[state ?? 'stopped']
    return { text: pad(`  ${mark} ${handle}`, width), tone }
  })
  return room === 0 ? rooms : [...rooms, { text: pad('  ── here', width), tone: 'dim' }, ...members]
}

/** The chosen one is in sight, and known without colours, too. */
const roomLines = ({ rooms, chosen }: Chat, width: number, height: number): Span[] => {
  const place = rooms.findIndex(({ name }) => name === chosen)
  const first = Math.max(0, Math.min(place - Math.floor(height / 2), rooms.length - height))
  return rooms.slice(first, first + height).map((room) => {
    const counts = countsOf(room)
    const isChosen = room.name === chosen
    const name = pad(`${isChosen ? '›' : ' '} ${room.name}`, width - 1 - (counts === '' ? 0 : counts.length + 1))
    return { text: `${name}${counts === '' ? '' : ` ${counts}`} `, tone: isChosen ? 'inverse' : toneOf(room) }
  })
}

const noticeLine = ({ notice, bottom, posts, helpPage }: Chat): Line => {
  if (notice !== null) return [{ text: oneLine(notice), tone: 'yellow' }]
  if (helpPage !== null) return [{ text: 'Enter goes on · Esc leaves the help', tone: 'dim' }]
  if (bottom === null)
    return [{ text: 'Enter sends · @ and Tab names an agent · Tab next room · PgUp looks back · /help', tone: 'dim' }]
  const below = (posts.at(-1)?.n ?? bottom.n) - bottom.n
  return [{ text: `↓ ${below > 0 ? `${below} more below` : 'more below'} · PgDn · Esc shows the newest`, tone: 'cyan' }]
}

/** As much of what is written as there is room for, around the cursor. */
const inputLine = ({ chosen, input }: Chat, columns: number): { line: Line; column: number } => {
  const prompt = fit(`${chosen ?? ''}> `, Math.floor(columns / 2))
  const room = Math.max(0, columns - cellWidth(prompt) - 1)
  const before = fitEnd(shown(input.text.slice(0, input.at)), room)
  const column = Math.min(cellWidth(prompt) + cellWidth(before), columns - 1)
  const rest = shown(input.text.slice(input.at))
  return { line: [{ text: prompt, tone: 'bold' }, { text: `${before}${fit(rest, columns - column)}` }], column }
}

const shown = (text: string): string => safe(text).replaceAll('\n', '⏎')

/** As much of the help as there is room for. */
export const helpLines = ({ columns, rows }: Pane, page: number): Line[] =>
  help
    .flatMap((text) => wrap(text, columns))
    .slice(page * rows, (page + 1) * rows)
    .map((text) => [{ text }])

const help = [
  '@handle    wakes that agent',
  '@handle!   turns it at once',
  '@handle?   says how it is, unnoticed',
  '@all       everybody here',
  '@… Tab     completes the name',
  '/create    NAME makes a room',
  '/quit      leaves (also Ctrl-C)',
  '//         says what begins with /',
  'Enter      says it in the chosen room',
  'Alt-Enter  a new line',
  'Tab        next room (also Ctrl-N)',
  'Shift-Tab  previous one (also Ctrl-P)',
  'PgUp PgDn  look back and forth',
  'Esc        shows the newest',
  '↑ ↓        what you said before',
]
