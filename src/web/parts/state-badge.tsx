import type { AgentState } from '../../contract/agent.ts'
import { stateWords } from '../../contract/state-words.ts'

type Tone = 'busy' | 'ask' | 'bad' | 'wait' | 'calm' | 'off'

/** A state is told by word and shape; the colour repeats it. */
const tones: Record<AgentState, Tone> = {
  starting: 'busy',
  working: 'busy',
  awaiting_permission: 'ask',
  awaiting_answer: 'ask',
  limited: 'wait',
  paused: 'wait',
  idle: 'calm',
  crashed: 'bad',
  looping: 'bad',
  stopped: 'off',
}

interface StateBadgeProps {
  state: AgentState
  words?: string
  /** Why that is believed. */
  why?: string
}

export const StateBadge = ({ state, words, why }: StateBadgeProps) => (
  <span class={`badge badge-${tones[state]}`} data-state={state} title={why}>
    <span class="badge-dot" aria-hidden="true" />
    {words ?? stateWords[state]}
  </span>
)
