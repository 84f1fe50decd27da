import type { AgentView } from '../../../contract/routes/agents.ts'
import { questionText } from '../../agents/text.ts'

/** What has to be done outside; everything else about a key is in the model. */
export type Command =
  | { kind: 'quit' }
  | { kind: 'attach' | 'pause' | 'unpause' | 'restart' | 'follow'; target: string }
  | { kind: 'answer'; target: string; answer: 'allow' | 'deny'; question: string }
  | { kind: 'unfollow' }

type Mode =
  | { kind: 'list' | 'filter' | 'help' }
  | { kind: 'logs'; target: string }
  | { kind: 'confirm'; word: string; about: string; command: Command }

/** All that `rein top` shows. */
export interface Top {
  /** In the order of their names, so that no row moves under a finger. */
  agents: AgentView[]
  selected: string | null
  filter: string
  mode: Mode
  /** How far the lower part was scrolled: from its beginning, or in logs from their end. */
  scroll: number
  log: string[]
  notice: string | null
  /** Why nothing new is heard. */
  trouble: string | null
}

export const emptyTop: Top = {
  agents: [],
  selected: null,
  filter: '',
  mode: { kind: 'list' },
  scroll: 0,
  log: [],
  notice: null,
  trouble: null,
}

const keptLogLines = 5_000
const pageLines = 10

export const nameOf = ({ project, handle }: AgentView): string => `${project}/${handle}`

/** Those that the filter lets through. */
export const shownAgents = ({ agents, filter }: Top): AgentView[] => {
  const wanted = filter.toLowerCase()
  return agents.filter((agent) => [nameOf(agent), agent.driver, agent.state].join(' ').toLowerCase().includes(wanted))
}

export const selectedAgent = (top: Top): AgentView | undefined =>
  shownAgents(top).find((agent) => nameOf(agent) === top.selected)

/** An agent that goes away stays selected, and is so again when it is back: no key must hit another one instead. */
export const withAgents = (top: Top, agents: readonly AgentView[]): Top => {
  const sorted = agents.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const first = sorted[0]
  const selected = first === undefined ? null : (top.selected ?? nameOf(first))
  return { ...top, agents: sorted, selected, trouble: null }
}

export const withLog = (top: Top, lines: readonly string[]): Top => ({
  ...top,
  log: [...top.log, ...lines].slice(-keptLogLines),
  // Whoever has scrolled back keeps the lines in sight.
  scroll: top.mode.kind === 'logs' && top.scroll > 0 ? top.scroll + lines.length : top.scroll,
})

/** What a key changes, and what it asks for. */
export const press = (top: Top, key: string): [Top, Command | null] => {
  if (key === 'ctrl-c') return [top, { kind: 'quit' }]
  const quiet = { ...top, notice: null }
  switch (top.mode.kind) {
    case 'filter':
      return [pressInFilter(quiet, key), null]
    case 'help':
      return [{ ...quiet, mode: { kind: 'list' } }, null]
    case 'confirm':
      return pressInConfirm(quiet, top.mode.command, key)
    case 'logs':
      return pressInLogs(quiet, key)
    default:
      return pressInList(quiet, key)
  }
}

const pressInFilter = (top: Top, key: string): Top => {
  const mode = { kind: 'list' } as const
  if (key === 'enter') return { ...top, mode }
  if (key === 'escape') return withFilter({ ...top, mode }, '')
  if (key === 'backspace') return withFilter(top, Array.from(top.filter).slice(0, -1).join(''))
  return Array.from(key).length === 1 ? withFilter(top, top.filter + key) : top
}

const withFilter = (top: Top, filter: string): Top => {
  const filtered = { ...top, filter }
  const shown = shownAgents(filtered)
  const first = shown[0]
  const isShown = first === undefined || shown.some((agent) => nameOf(agent) === top.selected)
  return isShown ? filtered : { ...filtered, selected: nameOf(first), scroll: 0 }
}

/** The question must still be the one that was read. */
const pressInConfirm = (top: Top, command: Command, key: string): [Top, Command | null] => {
  const back: Top = { ...top, mode: { kind: 'list' } }
  if (key !== 'y') return [back, null]
  if (command.kind === 'answer' && !isAsked(top, command.target, command.question))
    return [{ ...back, notice: 'It no longer asks that: nothing was answered.' }, null]
  return [back, command]
}

const isAsked = ({ agents }: Top, target: string, question: string): boolean =>
  agents.some((agent) => nameOf(agent) === target && agent.question?.id === question)

const pressInLogs = (top: Top, key: string): [Top, Command | null] => {
  const steps: Record<string, number> = { up: 1, k: 1, down: -1, j: -1, pageup: pageLines, pagedown: -pageLines }
  const step = steps[key]
  if (step !== undefined) return [scrolled({ ...top, scroll: Math.min(top.scroll, top.log.length) }, step), null]
  if (!['q', 'l', 'escape'].includes(key)) return [top, null]
  return [{ ...top, mode: { kind: 'list' }, log: [], scroll: 0 }, { kind: 'unfollow' }]
}

const scrolled = (top: Top, step: number): Top => ({ ...top, scroll: Math.max(0, top.scroll + step) })

const pressInList = (top: Top, key: string): [Top, Command | null] => {
  const moves: Record<string, number> = { up: -1, k: -1, down: 1, j: 1, home: -Infinity, end: Infinity }
  const move = moves[key]
  if (move !== undefined) return [moved(top, move), null]
  if (key === 'pagedown' || key === 'pageup') return [scrolled(top, key === 'pagedown' ? pageLines : -pageLines), null]
  if (key === 'q') return [top, { kind: 'quit' }]
  if (key === '?') return [{ ...top, mode: { kind: 'help' } }, null]
  if (key === '/') return [{ ...top, mode: { kind: 'filter' } }, null]
  if (key === 'escape') return [withFilter(top, ''), null]
  const agent = selectedAgent(top)
  return agent === undefined ? [top, null] : pressOnAgent(top, agent, key)
}

const moved = (top: Top, step: number): Top => {
  const shown = shownAgents(top)
  const place = shown.findIndex((agent) => nameOf(agent) === top.selected)
  const next = shown[Math.min(Math.max(0, place + step), shown.length - 1)]
  return next === undefined ? top : { ...top, selected: nameOf(next), scroll: 0 }
}

const pressOnAgent = (top: Top, agent: AgentView, key: string): [Top, Command | null] => {
  const target = nameOf(agent)
  switch (key) {
    case 'enter':
      return [top, { kind: 'attach', target }]
    case 'p':
      return [top, { kind: agent.isPaused ? 'unpause' : 'pause', target }]
    case 'r':
      return [confirming(top, 'restart', target, { kind: 'restart', target }), null]
    case 'l':
      return [
        { ...top, mode: { kind: 'logs', target }, log: [], scroll: 0 },
        { kind: 'follow', target },
      ]
    case 'a':
      return [answering(top, agent, 'allow'), null]
    case 'd':
      return [answering(top, agent, 'deny'), null]
    default:
      return [top, null]
  }
}

const answering = (top: Top, agent: AgentView, answer: 'allow' | 'deny'): Top => {
  const { handle, question } = agent
  if (question === null) return { ...top, notice: `${handle} asks nothing.` }
  if (question.kind === 'question') return { ...top, notice: `It wants a text: rein answer ${nameOf(agent)} TEXT` }
  const command: Command = { kind: 'answer', target: nameOf(agent), answer, question: question.id }
  return confirming(top, answer, `${nameOf(agent)}: ${questionText(question)}`, command)
}

const confirming = (top: Top, word: string, about: string, command: Command): Top => ({
  ...top,
  mode: { kind: 'confirm', word, about, command },
})
