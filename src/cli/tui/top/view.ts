import type { AgentView } from '../../../contract/routes/agents.ts'
import { questionText } from '../../agents/text.ts'
import { cellWidth, fit, pad, wrap } from '../../cells.ts'
import { formatTime } from '../../format.ts'
import { costText, stateText, tableLines, troubleText } from './columns.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Size } from '../terminal/terminal.ts'
import { nameOf, selectedAgent, shownAgents, type Top } from './model.ts'

/** Rows that are neither list nor detail: title, head of the table, rule, keys. */
const frameRows = 4
/** On lower terminals there is only the list. */
const leastRowsForDetail = 10

export const view = (top: Top, { columns, rows }: Size, now: number): Line[] => {
  const body = bodyLines(top, { columns, rows: Math.max(1, rows - 2) }, now)
  const filled = [titleLine(top, columns, now), ...body, ...Array.from({ length: rows }, (): Line => [])]
  return [...filled.slice(0, Math.max(0, rows - 1)), footer(top, columns)]
}

const bodyLines = (top: Top, size: Size, now: number): Line[] => {
  if (top.mode.kind === 'help') return help.map((text) => [{ text }])
  if (top.mode.kind === 'logs') {
    // Only the visible lines are wrapped, however long the log is.
    const { columns, rows } = size
    const end = Math.max(Math.min(top.log.length, rows), top.log.length - top.scroll)
    const lines = top.log.slice(Math.max(0, end - rows), end).flatMap((text) => wrapped(text, columns))
    return lines.slice(-rows)
  }
  return [...listLines(top, size, now), ...detailLines(top, size, now)].slice(0, size.rows)
}

const titleLine = (top: Top, columns: number, now: number): Line => {
  if (top.trouble !== null) return [{ text: pad(oneLine(top.trouble), columns), tone: 'red' }]
  if (top.mode.kind === 'logs') return [{ text: `rein logs ${oneLine(top.mode.target)}`, tone: 'bold' }]
  const clock = formatTime(now, now)
  const { agents, filter } = top
  const counts = new Map<string, number>()
  for (const { state } of agents) counts.set(state, (counts.get(state) ?? 0) + 1)
  const states = [...counts].map(([state, count]) => `${count} ${state.replaceAll('_', ' ')}`).join(', ')
  const total = `${agents.length} agent${agents.length === 1 ? '' : 's'}`
  const said = ` ${[total, states, filter === '' ? '' : `filter "${filter}"`].filter(Boolean).join(' · ')}`
  return [
    { text: 'rein top', tone: 'bold' },
    { text: pad(said, Math.max(0, columns - 'rein top'.length - clock.length - 1)) },
    { text: ` ${clock}`, tone: 'dim' },
  ]
}

const listRows = (count: number, rows: number): number => {
  const room = rows < leastRowsForDetail ? rows - 1 : Math.max(3, Math.floor((rows - frameRows + 2) / 2))
  return Math.min(count, Math.max(1, room))
}

const listLines = (top: Top, { columns, rows }: Size, now: number): Line[] => {
  const shown = shownAgents(top)
  if (shown.length === 0) return [[{ text: top.filter === '' ? none : 'No agent matches the filter.', tone: 'dim' }]]
  const height = listRows(shown.length, rows)
  const place = shown.findIndex((agent) => nameOf(agent) === top.selected)
  const first = Math.min(Math.max(0, place - Math.floor(height / 2)), shown.length - height)
  const [head = [], ...lines] = tableLines(shown, now, columns - 2)
  const visible = lines.slice(first, first + height).map(
    // The mark shows the selected row without colours, too.
    (line, n): Line =>
      first + n === place
        ? [{ text: pad(`› ${line.map(({ text }) => text).join('')}`, columns), tone: 'inverse' }]
        : [{ text: '  ' }, ...line],
  )
  return [[{ text: '  ' }, ...head], ...visible]
}

const none = 'No agents. Start one: rein up <handle> --prompt TEXT'

const detailLines = (top: Top, { columns, rows }: Size, now: number): Line[] => {
  const agent = selectedAgent(top)
  const used = listRows(shownAgents(top).length, rows) + 1
  if (agent === undefined || rows < leastRowsForDetail) return []
  const title = fit(`── ${oneLine(nameOf(agent))} `, columns)
  const rule: Line = [{ text: title + '─'.repeat(columns - cellWidth(title)), tone: 'dim' }]
  const room = Math.max(0, rows - used - 1)
  const { driver, version, host, pid, cwd, detail } = agent
  const counts = Object.entries(agent.inbox).filter(([, count]) => count > 0)
  const { healed } = agent.health
  const facts = [
    stateText(agent, now),
    `${driver} ${version} on ${host}${pid === null ? '' : `, pid ${pid}`}, in ${oneLine(cwd)}`,
    [
      contextText(agent),
      counts.length === 0 ? '' : `inbox: ${counts.map(([state, count]) => `${count} ${state}`).join(', ')}`,
      [troubleText(agent), healed > 0 ? `healed ${healed}×` : ''].filter(Boolean).join(', '),
    ]
      .filter(Boolean)
      .join(' · '),
  ]
  const lines = [
    ...facts.filter(Boolean).flatMap((text) => wrapped(text, columns, 'dim')),
    ...questionLines(agent, columns),
    ...(detail === undefined || detail.said === '' ? [] : wrapped(detail.said, columns)),
  ]
  const first = Math.min(top.scroll, Math.max(0, lines.length - room))
  return [rule, ...lines.slice(first, first + room)]
}

const wrapped = (text: string, columns: number, tone?: Span['tone']): Line[] =>
  wrap(safe(text), columns).map((line) => [{ text: line, tone }])

const contextText = ({ detail }: AgentView): string => {
  const { usage, window, percent } = detail ?? {}
  if (usage == null) return ''
  const share = percent == null ? '' : `, context ${percent} % of ${window}`
  const cost = costText(usage)
  const tokens = `${usage.inputTokens + (usage.cacheTokens ?? 0)} tokens in, ${usage.outputTokens} out`
  return `${tokens}${cost === '' ? '' : `, ${cost}`}${share}${usage.model === null ? '' : ` (${oneLine(usage.model)})`}`
}

/** In full: a person must not allow what they have not read. */
const questionLines = ({ question }: AgentView, columns: number): Line[] => {
  if (question === null) return []
  const input = Object.entries(question.input).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const asks = `asks (${question.kind}) ${questionText(question)}`
  const options = question.options?.map((option, n) => `  ${n + 1}. ${option}`) ?? []
  return [asks, ...input, ...options].flatMap((text) => wrapped(text, columns, 'yellow'))
}

const footer = ({ mode, filter, notice }: Top, columns: number): Line => {
  if (mode.kind === 'filter') return [{ text: `/${filter}█  Enter keeps it, Esc shows all` }]
  if (mode.kind === 'confirm')
    return [{ text: pad(`y = ${mode.word}, any other key = no · ${oneLine(mode.about)}`, columns), tone: 'yellow' }]
  if (notice !== null) return [{ text: oneLine(notice), tone: 'yellow' }]
  return [
    {
      text:
        mode.kind === 'help'
          ? 'any key goes back'
          : mode.kind === 'logs'
            ? 'q back  ↑↓ PgUp PgDn scroll'
            : 'q quit  ? help  ⏎ attach  a allow  d deny  p pause  r restart  l logs  / filter',
      tone: 'dim',
    },
  ]
}

const help = [
  '',
  '  ↑ ↓ j k     select an agent              PgUp PgDn  scroll its details',
  "  Enter       attach: the agent's own terminal; detaching comes back here",
  '  a  d        allow or deny what it asks (asks for a y first)',
  '  p           pause, or go on',
  '  r           restart it in its conversation (asks for a y first)',
  '  l           its logs, as they come',
  '  /           filter by project, handle, driver or state; Esc shows all',
  '  q Ctrl-C    quit; agents run on',
  '',
  '  INBOX   directives that are q queued, o offered, p placed, s seen',
  '  CTX     how full the context is',
  '  IN/OUT  tokens of the newest reply          COST  of the last turn, where the CLI tells it',
]
