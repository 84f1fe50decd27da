import type { ReceiptState } from '../../../contract/directive.ts'
import type { AgentView } from '../../../contract/routes/agents.ts'
import { questionText } from '../../agents/text.ts'
import { cellWidth, fit, wrap } from '../../cells.ts'
import { formatAge } from '../../format.ts'
import { stateMarks } from '../state-marks.ts'
import { type Line, oneLine, safe, type Span } from '../terminal/line.ts'
import type { Size } from '../terminal/terminal.ts'
import { costText, stateText, troubleText } from './columns.ts'
import { nameOf, shownName, type Top } from './model.ts'

/** The selected agent: facts, what it asks, what it was told, and the end of what it shows. */
export const detailLines = (top: Top, agent: AgentView, { columns, rows }: Size, now: number): Line[] => {
  const { driver, version, host, cwd, detail } = agent
  const { healed } = agent.health
  const usage = detail?.usage
  const facts = [
    stateText(agent, now),
    `${driver} ${version} on ${host}`,
    usage == null || usage.model === null ? '' : oneLine(usage.model),
    detail?.percent == null ? '' : `context ${detail.percent} %`,
    costText(usage ?? undefined),
    [troubleText(agent), healed > 0 ? `healed ${healed}×` : ''].filter(Boolean).join(', '),
    oneLine(cwd),
  ]
  const head = [
    ...wrapped(facts.filter(Boolean).join(' · '), columns, 'dim'),
    ...questionLines(agent, columns),
    ...toldLines(top, agent, columns, now),
  ]
  // A rule or a box as wide as the agent's own terminal is cut; text is wrapped.
  const said = agent.detail?.said ?? ''
  const shown = top.preview?.target === nameOf(agent) ? top.preview.lines : said.split('\n')
  const lines = dialogOf(agent.question) === null ? shown : []
  const preview = squeeze(lines.map((line) => safe(line).trimEnd())).flatMap((text) => {
    return /^\s*[─━═╭╰┌└]|[│┃╮╯┐┘]$/u.test(text) ? [[{ text: fit(text, columns) }]] : wrapped(text, columns)
  })
  const room = Math.max(0, rows - 1)
  if (top.scroll === 0) {
    const left = Math.max(0, room - head.length)
    return [ruleLine(top, agent, columns), ...head.slice(0, room), ...(left === 0 ? [] : preview.slice(-left))]
  }
  const all = [...head, ...preview]
  const first = Math.min(top.scroll, Math.max(0, all.length - room))
  return [ruleLine(top, agent, columns), ...all.slice(first, first + room)]
}

const ruleLine = (top: Top, agent: AgentView, columns: number): Line => {
  const { tone } = stateMarks[agent.state]
  const name = fit(` ${oneLine(shownName(top, nameOf(agent)))} `, columns - 3)
  return [
    { text: '──', tone: 'dim' },
    { text: name, ...(tone === undefined ? { tone: 'bold' } : { tone }) },
    { text: '─'.repeat(Math.max(0, columns - 2 - cellWidth(name))), tone: 'dim' },
  ]
}

/** A dialog on the agent's screen: its text is all that the question and the screen say. */
const dialogOf = (question: AgentView['question']): string | null => {
  const dialog = question?.id.startsWith('screen:') === true ? question.input['dialog'] : undefined
  return typeof dialog === 'string' ? dialog : null
}

/** In full: a person must not allow what they have not read. */
const questionLines = ({ question }: AgentView, columns: number): Line[] => {
  if (question === null) return []
  const dialog = dialogOf(question)
  const options = (question.options ?? []).map((option, n) => `  ${n + 1}. ${option}`)
  if (dialog !== null) {
    const unnumbered = options.filter((option) => !dialog.includes(option.trim()))
    return [`asks: ${question.tool}`, ...squeeze(dialog.split('\n')), ...unnumbered].flatMap((text) =>
      wrapped(text, columns, 'yellow'),
    )
  }
  const input = Object.entries(question.input).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return [`asks: ${questionText(question)}`, ...input, ...options].flatMap((text) => wrapped(text, columns, 'yellow'))
}

const steps = ['queued', 'offered', 'placed', 'seen', 'acked'] as const satisfies ReceiptState[]
const mostTold = 3

/** What it was told last, and how far each has come. */
const toldLines = ({ told }: Top, agent: AgentView, columns: number, now: number): Line[] =>
  told?.target !== nameOf(agent)
    ? []
    : told.items.slice(0, mostTold).map((item) => {
        const said: Span = { text: ` ${formatAge(item.at, now)}  ${oneLine(item.excerpt)}` }
        const reached = steps.indexOf(item.state as (typeof steps)[number])
        // A directive that left the usual way: held, expired, cancelled, failed.
        if (reached < 0)
          return [
            { text: '✉ ', tone: 'cyan' },
            { text: item.state, tone: item.state === 'held' ? 'yellow' : 'red' },
            said,
          ]
        const isSeen = reached >= steps.indexOf('seen')
        const passed = steps.slice(0, reached).map((step) => `${columns < narrow ? step[0] : step} › `)
        const ahead = steps.slice(reached + 1).map((step) => ` › ${columns < narrow ? step[0] : step}`)
        return [
          { text: '✉ ', tone: 'cyan' },
          { text: passed.join(''), ...(isSeen ? { tone: 'green' } : {}) },
          { text: steps[reached] ?? '', tone: isSeen ? 'green' : 'bold' },
          { text: ahead.join(''), tone: 'dim' },
          said,
        ]
      })

/** Below this width the steps that are not the current one are shown by their first letter. */
const narrow = 100

/** A CLI leaves rows of its screen empty between what it says and where one types: there is less room here. */
const squeeze = (lines: readonly string[]): string[] =>
  lines.filter((line, n) => line !== '' || (n > 0 && lines[n - 1] !== ''))

export const wrapped = (text: string, columns: number, tone?: Span['tone']): Line[] =>
  wrap(safe(text), columns).map((line) => [{ text: line, tone }])
