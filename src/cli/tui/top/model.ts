import type { NoticeEvent } from '../../../contract/notice-events.ts'
import type { AgentView } from '../../../contract/routes/agents.ts'
import type { InboxItemView } from '../../../contract/routes/directives.ts'
import type { SessionTurnView } from '../../../contract/routes/sessions.ts'
import { stateWords } from '../../../contract/state-words.ts'
import { nameProjects } from '../../format.ts'
import type { Input } from '../terminal/input.ts'

type Question = NonNullable<AgentView['question']>

/** Side effects of a key; everything else it does is in the model. */
export type Command =
  | { kind: 'quit' | 'unfollow' }
  | {
      kind: 'attach' | 'pause' | 'unpause' | 'restart' | 'interrupt' | 'down' | 'follow' | 'listTurns'
      target: string
    }
  | { kind: 'answer'; target: string; answer: string; question: string }
  | { kind: 'tell'; target: string; text: string }
  | { kind: 'start'; handle: string; prompt: string }
  | { kind: 'rewind'; target: string; turn: string }

/** What the line at the bottom is written for. */
export type Purpose =
  | { kind: 'tell'; target: string }
  | { kind: 'reason'; target: string; question: Question }
  | { kind: 'handle' }
  | { kind: 'prompt'; handle: string }

export type Mode =
  | { kind: 'list' | 'filter' | 'help' }
  | { kind: 'logs'; target: string }
  | { kind: 'confirm'; word: string; about: string; command: Command }
  | { kind: 'answer'; target: string; question: Question }
  | { kind: 'write'; purpose: Purpose; input: Input }
  | { kind: 'turns'; target: string; turns: readonly SessionTurnView[]; chosen: number }

export interface Top {
  /** In the order of their names, so that no row moves under a finger. */
  agents: AgentView[]
  selected: string | null
  filter: string
  mode: Mode
  /** How far the lower part was scrolled: from its beginning, or in logs from their end. */
  scroll: number
  log: string[]
  /** What the selected agent shows on its screen, or did last. */
  preview: { target: string; lines: readonly string[] } | null
  /** What the selected agent was told, newest first. */
  told: { target: string; items: readonly InboxItemView[] } | null
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
  preview: null,
  told: null,
  notice: null,
  trouble: null,
}

const keptLogLines = 5_000
const keptPreviewLines = 200

export const nameOf = ({ project, handle }: { project: string; handle: string }): string => `${project}/${handle}`

/** How an agent is called on the screen: the digits of its project are left out unless two have the same name. */
export const shownName = ({ agents }: Top, target: string): string => {
  const project = target.slice(0, target.lastIndexOf('/'))
  const nameProject = nameProjects([project, ...agents.map((agent) => agent.project)])
  return `${nameProject(project)}${target.slice(project.length)}`
}

export const shownAgents = ({ agents, filter }: Top): AgentView[] => {
  const wanted = filter.toLowerCase()
  return agents.filter((agent) => {
    const { driver, state } = agent
    return [nameOf(agent), driver, state, stateWords[state]].join(' ').toLowerCase().includes(wanted)
  })
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

/** What a person wants to hear of since the last news: the terminal rings for it. */
export const noticesIn = (before: Top, after: Top): NoticeEvent[] => {
  const known = new Map(before.agents.map((agent) => [nameOf(agent), agent]))
  return after.agents.flatMap((agent): NoticeEvent[] => {
    const last = known.get(nameOf(agent))
    if (last === undefined) return []
    if (agent.question !== null && agent.question.id !== last.question?.id) return ['asks']
    if (agent.state === last.state) return []
    if (agent.state === 'crashed' || agent.state === 'looping') return ['crashed']
    if (agent.state === 'limited') return ['limited']
    return agent.state === 'idle' && last.state === 'working' ? ['done'] : []
  })
}

export const withLog = (top: Top, lines: readonly string[]): Top => ({
  ...top,
  log: [...top.log, ...lines].slice(-keptLogLines),
  // A person who scrolled back keeps seeing the same lines.
  scroll: top.mode.kind === 'logs' && top.scroll > 0 ? top.scroll + lines.length : top.scroll,
})

/** A terminal shows all of it at once, turns come one after the other. */
export const withPreview = (top: Top, target: string, lines: readonly string[], isMore: boolean): Top => {
  const before = isMore && top.preview?.target === target ? top.preview.lines : []
  return { ...top, preview: { target, lines: [...before, ...lines].slice(-keptPreviewLines) } }
}

export const withTurns = (top: Top, target: string, turns: readonly SessionTurnView[]): Top => {
  if (top.mode.kind !== 'list' || top.selected !== target) return top
  const known = turns.filter(({ isCurrent }) => isCurrent)
  if (known.length === 0) return { ...top, notice: 'There is no turn to rewind to yet.' }
  return { ...top, mode: { kind: 'turns', target, turns: known, chosen: Math.max(0, known.length - 2) } }
}
