import type { AgentView } from '../../../contract/routes/agents.ts'
import { cellWidth, pad } from '../../cells.ts'
import { stateWords } from '../../../contract/state-words.ts'
import { formatAge, formatTime, nameProjects } from '../../format.ts'
import { stateMarks } from '../state-marks.ts'
import { type Line, oneLine, type Span } from '../terminal/line.ts'

interface Column {
  title: string
  cell: (agent: AgentView, now: number, nameProject: (project: string) => string) => Span
  most: number
  /** On a narrow terminal those with the highest number go first. */
  rank: number
}

interface Placed {
  column: Column
  width: number
}

const gap = 2
const leastLast = 20

const plain = (text: string): Span => ({ text })

const columns: readonly Column[] = [
  { title: 'HANDLE', cell: ({ handle }) => plain(handle), most: 24, rank: 0 },
  {
    title: 'PROJECT',
    cell: ({ project }, _now, nameProject) => plain(oneLine(nameProject(project))),
    most: 20,
    rank: 7,
  },
  { title: 'DRIVER', cell: ({ driver }) => plain(driver), most: 12, rank: 8 },
  { title: 'HOST', cell: ({ host }) => plain(host), most: 8, rank: 9 },
  {
    title: 'STATE',
    cell: (agent, now) => {
      const { mark, tone } = stateMarks[agent.state]
      return { text: `${mark} ${stateText(agent, now)}`, tone }
    },
    most: 36,
    rank: 1,
  },
  { title: 'INBOX', cell: (agent) => plain(inboxText(agent)), most: 12, rank: 5 },
  { title: 'CTX', cell: ({ detail }) => plain(detail?.percent == null ? '' : `${detail.percent}%`), most: 4, rank: 3 },
  { title: 'IN/OUT', cell: ({ detail }) => plain(tokensText(detail?.usage)), most: 11, rank: 10 },
  { title: 'COST', cell: ({ detail }) => plain(costText(detail?.usage)), most: 8, rank: 4 },
  { title: 'TROUBLE', cell: (agent) => ({ text: troubleText(agent), tone: 'red' }), most: 16, rank: 6 },
  {
    title: 'LAST',
    cell: ({ detail }) => plain(detail?.last == null ? '' : `${marks[detail.last.kind]}${oneLine(detail.last.text)}`),
    most: 200,
    rank: 2,
  },
]

/** The head of the table and one line for each agent, in the columns that there is room for. */
export const tableLines = (agents: readonly AgentView[], now: number, room: number): Line[] => {
  const nameProject = nameProjects(agents.map(({ project }) => project))
  const natural = columns.map((column): Placed => {
    const widths = agents.map((agent) => cellWidth(column.cell(agent, now, nameProject).text))
    const used = Math.max(0, ...widths)
    return { column, width: used === 0 ? 0 : Math.min(column.most, Math.max(cellWidth(column.title), used)) }
  })
  const chosen = leaveOut(
    natural.filter(({ width }) => width > 0),
    room,
  )
  const others = chosen.filter(({ column }) => column.title !== 'LAST')
  const placed = chosen.map((one) =>
    one.column.title === 'LAST' ? { ...one, width: room - taken(others) - gap } : one,
  )
  const head = placed.map(({ column, width }): Span => ({ text: pad(column.title, width), tone: 'bold' }))
  const rows = agents.map((agent) =>
    placed.map(({ column, width }): Span => {
      const { text, tone } = column.cell(agent, now, nameProject)
      return { text: pad(text, width), tone }
    }),
  )
  return [head, ...rows].map((cells) => cells.flatMap((cell, n) => (n === 0 ? [cell] : [plain(' '.repeat(gap)), cell])))
}

const taken = (placed: readonly Placed[]): number =>
  placed.reduce(
    (sum, { width, column }) => sum + gap + (column.title === 'LAST' ? Math.min(width, leastLast) : width),
    -gap,
  )

const leaveOut = (placed: Placed[], room: number): Placed[] => {
  if (placed.length <= 2 || taken(placed) <= room) return placed
  const last = placed.toSorted((a, b) => b.column.rank - a.column.rank)[0]
  return leaveOut(
    placed.filter((one) => one !== last),
    room,
  )
}

export const stateText = ({ state, since, until, isPaused }: AgentView, now: number): string => {
  const next =
    until === null
      ? ''
      : state === 'limited'
        ? `, until ${formatTime(until, now)}`
        : `, again in ${formatAge(now, until)}`
  const pause = isPaused && state !== 'paused' ? ', then paused' : ''
  return `${stateWords[state]} ${formatAge(since, now)}${next}${pause}`
}

/** What it was told and has not acknowledged: in words, because `6s` would be read as seconds. */
const inboxText = ({ inbox }: AgentView): string => {
  const counts = Object.entries(inbox).filter(([state, count]) => count > 0 && state !== 'acked')
  if (counts.length > 1) return `${counts.reduce((sum, [, count]) => sum + count, 0)} open`
  return counts.map(([state, count]) => `${count} ${state}`).join('')
}

type Detail = NonNullable<AgentView['detail']>

const tokensText = (usage: Detail['usage'] | undefined): string =>
  usage == null ? '' : `${shortCount(usage.inputTokens + (usage.cacheTokens ?? 0))}/${shortCount(usage.outputTokens)}`

/** The cost of the last turn, where the CLI reports it. */
export const costText = (usage: Detail['usage'] | undefined): string =>
  usage?.costUsd === undefined ? '' : `$${usage.costUsd.toFixed(2)}`

const shortCount = (count: number): string => {
  if (count < 1_000) return String(count)
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export const troubleText = ({ crashes, health }: AgentView): string =>
  [
    crashes > 0 ? `${crashes} crash${crashes === 1 ? '' : 'es'}` : '',
    health.hooks === 'silent' ? 'hooks silent' : '',
    health.failures > 0 ? `${health.failures} wakes lost` : '',
  ]
    .filter(Boolean)
    .join(', ')

const marks = { prompt: '› ', text: '', tool: '→ ' } as const
