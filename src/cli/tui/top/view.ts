import { countStates } from '../../agents/state-counts.ts'
import { questionText } from '../../agents/text.ts'
import { cellWidth, fit, fitEnd, pad } from '../../cells.ts'
import { formatAge, formatTime } from '../../format.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Size } from '../terminal/terminal.ts'
import { tableLines } from './columns.ts'
import { detailLines, wrapped } from './detail.ts'
import { type Mode, nameOf, type Purpose, selectedAgent, shownAgents, shownName, type Top } from './model.ts'

/** On lower terminals there is only the list. */
const leastRowsForDetail = 10

export const view = (top: Top, { columns, rows }: Size, now: number): Line[] => {
  const body = bodyLines(top, { columns, rows: Math.max(1, rows - 2) }, now)
  const filled = [titleLine(top, columns, now), ...body, ...Array.from({ length: rows }, (): Line => [])]
  return [...filled.slice(0, Math.max(0, rows - 1)), footer(top, columns)]
}

const bodyLines = (top: Top, size: Size, now: number): Line[] => {
  if (top.mode.kind === 'help') return help.map((text) => [{ text }])
  if (top.mode.kind === 'turns') return turnLines(top.mode, size, now)
  if (top.mode.kind === 'logs') {
    // Only the visible lines are wrapped, however long the log is.
    const { columns, rows } = size
    const end = Math.max(Math.min(top.log.length, rows), top.log.length - top.scroll)
    const lines = top.log.slice(Math.max(0, end - rows), end).flatMap((text) => wrapped(text, columns))
    return lines.slice(-rows)
  }
  const list = listLines(top, size, now)
  const agent = selectedAgent(top)
  if (agent === undefined || size.rows < leastRowsForDetail) return list.slice(0, size.rows)
  return [...list, ...detailLines(top, agent, { ...size, rows: size.rows - list.length }, now)].slice(0, size.rows)
}

const countTones: Record<string, Span['tone']> = {
  working: 'green',
  asks: 'yellow',
  crashed: 'red',
  limited: 'magenta',
  paused: 'cyan',
}

const titleLine = (top: Top, columns: number, now: number): Line => {
  if (top.trouble !== null) return [{ text: pad(oneLine(top.trouble), columns), tone: 'red' }]
  if (top.mode.kind === 'logs') return [{ text: `rein logs ${oneLine(shownName(top, top.mode.target))}`, tone: 'bold' }]
  const clock = formatTime(now, now)
  const { agents, filter } = top
  const total = ` ${agents.length} agent${agents.length === 1 ? '' : 's'}`
  const counts = countStates(agents).flatMap(({ word, count }): Span[] => [
    { text: ' · ', tone: 'dim' },
    { text: `${count} ${word}`, tone: countTones[word] },
  ])
  const filtered = filter === '' ? '' : ` · filter "${filter}"`
  const used = [total, ...counts.map(({ text }) => text), filtered].join('').length
  return [
    { text: 'rein top', tone: 'bold' },
    { text: total },
    ...counts,
    { text: pad(filtered, Math.max(0, columns - 'rein top'.length - used - clock.length - 1 + filtered.length)) },
    { text: ` ${clock}`, tone: 'dim' },
  ]
}

const listLines = (top: Top, { columns, rows }: Size, now: number): Line[] => {
  const shown = shownAgents(top)
  if (shown.length === 0) return top.filter === '' ? welcome : [[{ text: 'No agent matches the filter.', tone: 'dim' }]]
  // The list gets at most a third of a screen that shows the selected agent, too.
  const room = rows < leastRowsForDetail ? rows - 1 : Math.max(3, Math.floor(rows / 3))
  const height = Math.min(shown.length, Math.max(1, room))
  const place = shown.findIndex((agent) => nameOf(agent) === top.selected)
  const first = Math.min(Math.max(0, place - Math.floor(height / 2)), shown.length - height)
  const [head = [], ...lines] = tableLines(shown, now, columns - 2)
  const visible = lines.slice(first, first + height).map(
    // The mark shows the selected row without colours, too; the row keeps the colour of its state.
    ([name = { text: '' }, ...rest], n): Line =>
      first + n === place
        ? [{ text: '› ', tone: 'bold' }, { text: name.text, tone: 'inverse' }, ...rest]
        : [{ text: '  ' }, name, ...rest],
  )
  return [[{ text: '  ' }, ...head.map(({ text }): Span => ({ text, tone: 'dim' }))], ...visible]
}

const welcome: Line[] = [
  [],
  [{ text: '  No agents are running.' }],
  [],
  [{ text: '  Press ' }, { text: 'n', tone: 'bold' }, { text: ' to start one here, or type in another terminal:' }],
  [{ text: "  rein up worker-1 --prompt 'Fix the failing test'", tone: 'cyan' }],
]

const turnLines = ({ turns, chosen }: Mode & { kind: 'turns' }, { columns, rows }: Size, now: number): Line[] => {
  const height = Math.max(1, rows - 2)
  const first = Math.min(Math.max(0, chosen - Math.floor(height / 2)), Math.max(0, turns.length - height))
  const lines = turns.slice(first, first + height).map(({ label, prompt, startedAt, hasFiles }, n): Line => {
    const text = `${label.padStart(3)}  ${formatAge(startedAt, now).padStart(4)}  ${hasFiles ? '' : '(no files) '}${oneLine(prompt)}`
    return first + n === chosen
      ? [{ text: pad(`› ${text}`, columns), tone: 'inverse' }]
      : [{ text: fit(`  ${text}`, columns) }]
  })
  return [[{ text: 'Rewind to the end of which turn?', tone: 'bold' }], ...lines]
}

const footer = (top: Top, columns: number): Line => {
  const { mode, filter, notice } = top
  switch (mode.kind) {
    case 'filter':
      return [{ text: `/${filter}█  Enter keeps it, Esc shows all` }]
    case 'confirm':
      return [{ text: pad(`y = ${mode.word}, any other key = no · ${oneLine(mode.about)}`, columns), tone: 'yellow' }]
    case 'answer': {
      const choices = [
        ...(mode.question.kind === 'question' ? [] : ['y = allow', 'n = deny']),
        ...(mode.question.options === undefined ? [] : [`1-${Math.min(9, mode.question.options.length)} = option`]),
        'w = in words',
      ]
      const text = `${choices.join(', ')}, any other key = back · ${oneLine(questionText(mode.question))}`
      return [{ text: pad(text, columns), tone: 'yellow' }]
    }
    case 'write':
      return writingLine(top, mode, columns)
    case 'help':
      return [{ text: 'any key goes back', tone: 'dim' }]
    case 'logs':
      return [{ text: 'q back  ↑↓ PgUp PgDn scroll', tone: 'dim' }]
    case 'turns':
      return [{ text: '↑↓ choose  Enter rewind  Esc back', tone: 'dim' }]
    default:
      return notice === null ? keyLine(columns) : [{ text: oneLine(notice), tone: 'yellow' }]
  }
}

const labelOf = (top: Top, purpose: Purpose): string => {
  switch (purpose.kind) {
    case 'tell':
      return `tell ${shownName(top, purpose.target)}`
    case 'reason':
      return `answer ${shownName(top, purpose.target)}`
    case 'handle':
      return 'start an agent here, called'
    default:
      return `first prompt of ${purpose.handle} (may be empty)`
  }
}

const flat = (text: string): string => safe(text).replaceAll('\n', ' ')

/** What is before the cursor stays in sight; a line break is shown as a space. */
const writingLine = (top: Top, { purpose, input }: Mode & { kind: 'write' }, columns: number): Line => {
  const { notice } = top
  const label = fit(oneLine(labelOf(top, purpose)), Math.floor(columns / 2))
  return [
    { text: `${label}: `, tone: 'cyan' },
    { text: fitEnd(flat(input.text.slice(0, input.at)), Math.max(1, columns - cellWidth(label) - 3)) },
    { text: `█${flat(input.text.slice(input.at))}` },
    { text: `  ${notice ?? 'Enter sends, Esc leaves'}`, tone: notice === null ? 'dim' : 'yellow' },
  ]
}

/** In the order of their use: what does not fit is in the help. */
const keys = [
  ['t', 'tell'],
  ['⏎', 'attach'],
  ['a', 'answer'],
  ['n', 'new'],
  ['x', 'stop'],
  ['i', 'interrupt'],
  ['p', 'pause'],
  ['r', 'restart'],
  ['R', 'rewind'],
  ['l', 'logs'],
  ['/', 'filter'],
] as const
const lastKeys = [
  ['?', 'help'],
  ['q', 'quit'],
] as const

type Key = readonly [key: string, word: string]

const keyLine = (columns: number): Line => {
  let shown: readonly Key[] = keys
  while (
    shown.length > 0 &&
    [...shown, ...lastKeys].reduce((sum, [key, word]) => sum + key.length + word.length + 3, 0) > columns
  )
    shown = shown.slice(0, -1)
  return [...shown, ...lastKeys].flatMap(
    ([key, word]): Line => [
      { text: key, tone: 'bold' },
      { text: ` ${word}  `, tone: 'dim' },
    ],
  )
}

const help = [
  '',
  '  ↑ ↓ j k     select an agent              PgUp PgDn  scroll its details',
  '  t           tell it something: queued › offered › placed › seen › acked',
  "  Enter       attach: the agent's own terminal; leaving it comes back here",
  '  a           answer what it asks',
  '  n           start an agent in this directory',
  '  i           interrupt its turn            p  pause, or resume',
  '  x           stop it                       r  restart it in its conversation',
  '  R           rewind it to an earlier turn, with its files',
  '  l           its logs, as they come',
  '  /           filter by project, handle, driver or state; Esc shows all',
  '  q Ctrl-C    quit; agents run on',
  '',
  '  INBOX   what it was told and has not acknowledged',
  '  CTX     how full the context is',
  '  IN/OUT  tokens of the newest reply          COST  as its CLI tells it',
]
