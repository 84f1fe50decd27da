import type { AgentView } from '../../../contract/routes/agents.ts'
import { questionText } from '../../agents/text.ts'

/** Side effects of a key; everything else it does is in the model. */
export type Command =
  | { kind: 'quit' }
  | { kind: 'attach' | 'pause' | 'unpause' | 'restart' | 'follow'; target: string }
  | { kind: 'answer'; target: string; answer: 'allow' | 'deny'; question: string }
  | { kind: 'unfollow' }

type Mode =
  | { kind: 'list' | 'filter' | 'help' }
  | { kind: 'logs'; target: string }
  | { kind: 'confirm'; word: string; about: string; command: Command }

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
  // A person who scrolled back keeps seeing the same lines.
  scroll: top.mode.kind === 'logs' && top.scroll > 0 ? top.scroll + lines.length : top.scroll,
})

export const press = (top: Top, key: string): [Top, Command | null] => {
  if (key === 'ctrl-c') return [top, { kind: 'quit' }]
  const quiet = { ...top, notice: null }
  switch (top.mode.kind) {
    case 'filter':
      return [pressInFilter(quiet, key), null]
    case 'help':
      return [{ ...quiet, mode: { kind: 'list' } }, null]
    case 'confirm': {
      const back: Top = { ...quiet, mode: { kind: 'list' } }
      if (key !== 'y') return [back, null]
      const { command } = top.mode
      // The agent must still ask what the person has read.
      const isMeant = (agent: AgentView): boolean =>
        command.kind !== 'answer' || (nameOf(agent) === command.target && agent.question?.id === command.question)
      if (command.kind === 'answer' && !quiet.agents.some(isMeant))
        return [{ ...back, notice: 'It no longer asks that: nothing was answered.' }, null]
      return [back, command]
    }
    case 'logs': {
      const steps: Record<string, number> = { up: 1, k: 1, down: -1, j: -1, pageup: pageLines, pagedown: -pageLines }
      const step = steps[key]
      if (step !== undefined)
        return [scrolled({ ...quiet, scroll: Math.min(quiet.scroll, quiet.log.length) }, step), null]
      if (!['q', 'l', 'escape'].includes(key)) return [quiet, null]
      return [{ ...quiet, mode: { kind: 'list' }, log: [], scroll: 0 }, { kind: 'unfollow' }]
    }
    default: {
      const moves: Record<string, number> = { up: -1, k: -1, down: 1, j: 1, home: -Infinity, end: Infinity }
      const move = moves[key]
      if (move !== undefined) {
        const shown = shownAgents(quiet)
        const place = shown.findIndex((agent) => nameOf(agent) === quiet.selected)
        const next = shown[Math.min(Math.max(0, place + move), shown.length - 1)]
        return [next === undefined ? quiet : { ...quiet, selected: nameOf(next), scroll: 0 }, null]
      }
      if (key === 'pagedown' || key === 'pageup')
        return [scrolled(quiet, key === 'pagedown' ? pageLines : -pageLines), null]
      if (key === 'q') return [quiet, { kind: 'quit' }]
      if (key === '?') return [{ ...quiet, mode: { kind: 'help' } }, null]
      if (key === '/') return [{ ...quiet, mode: { kind: 'filter' } }, null]
      if (key === 'escape') return [withFilter(quiet, ''), null]
      const agent = selectedAgent(quiet)
      return agent === undefined ? [quiet, null] : pressOnAgent(quiet, agent, key)
    }
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

const scrolled = (top: Top, step: number): Top => ({ ...top, scroll: Math.max(0, top.scroll + step) })

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
