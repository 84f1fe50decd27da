import type { AgentState } from '../../contract/agent.ts'
import type { AgentView } from '../../contract/routes/agents.ts'

/** The lower, the sooner a person is needed. */
const needs: Record<AgentState, number> = {
  awaiting_permission: 0,
  awaiting_answer: 0,
  crashed: 1,
  looping: 1,
  limited: 2,
  paused: 3,
  starting: 4,
  working: 4,
  idle: 5,
  stopped: 6,
}

/** A call that is held for a person counts as a question, whatever the agent does meanwhile. */
const needOf = ({ state, question }: AgentView): number => (question === null ? needs[state] : 0)

/** Those who ask come first, the longest waiting at the top; others in the order of their names, so that rows stay in place. */
export const orderAgents = (agents: readonly AgentView[]): AgentView[] =>
  agents.toSorted((a, b) => {
    const byNeed = needOf(a) - needOf(b)
    if (byNeed !== 0) return byNeed
    if (needOf(a) === 0 && a.since !== b.since) return a.since - b.since
    return a.project === b.project ? a.handle.localeCompare(b.handle) : a.project.localeCompare(b.project)
  })

const words = ['asking', 'down', 'limited', 'paused', 'working', 'idle', 'stopped'] as const

/** `2 asking`, `1 working`: how many are in which need of a person, none left out but those without agents. */
export const countByNeed = (agents: readonly AgentView[]): { word: string; count: number }[] =>
  words
    .map((word, need) => ({ word, count: agents.filter((agent) => needOf(agent) === need).length }))
    .filter(({ count }) => count > 0)
