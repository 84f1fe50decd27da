import type { AgentState } from '../../contract/agent.ts'

/** In the order of urgency for a person who glances at it; `2 working · 1 asks`. */
const shown: readonly [word: string, states: readonly AgentState[]][] = [
  ['working', ['working', 'starting']],
  ['asks', ['awaiting_permission', 'awaiting_answer']],
  ['crashed', ['crashed', 'looping']],
  ['limited', ['limited']],
  ['paused', ['paused']],
  ['idle', ['idle']],
]

interface StateCount {
  word: string
  count: number
}

/** How many agents are in which state; states without agents are left out. */
export const countStates = (agents: readonly { state: AgentState }[]): StateCount[] =>
  shown
    .map(([word, states]) => ({ word, count: agents.filter(({ state }) => states.includes(state)).length }))
    .filter(({ count }) => count > 0)

/** One segment for a prompt. Idle agents are told only while there is nothing else to tell. */
export const statusSegment = (agents: readonly { state: AgentState }[]): string => {
  const counts = countStates(agents)
  const busy = counts.filter(({ word }) => word !== 'idle')
  return (busy.length > 0 ? busy : counts).map(({ word, count }) => `${count} ${word}`).join(' · ')
}
