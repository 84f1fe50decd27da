import type { Agent, AgentState } from '../contract/agent.ts'
import type { HookCall } from '../contract/hooks.ts'

/** A hook says more than a screen; only when none came for this long is the screen believed against it. */
const hookIsFreshMs = 1500

/** What a hook call of the agent itself says about its state; null if nothing. */
export const stateFromHook = (call: HookCall, goesOn: boolean): AgentState | null => {
  if (call.subagent !== null) return null
  switch (call.event) {
    case 'prompt':
    case 'before_tool':
    case 'after_tool':
    case 'after_batch':
      return 'working'
    case 'permission':
      return call.question?.kind === 'permission' ? 'awaiting_permission' : 'awaiting_answer'
    case 'stop':
      return goesOn ? 'working' : 'idle'
    case 'stop_failed':
      return 'idle'
    default:
      return null
  }
}

export const isAsking = (state: AgentState): boolean => state === 'awaiting_permission' || state === 'awaiting_answer'

export interface ScreenBelief {
  state: AgentState
  /** It stopped without a stop hook: a person pressed Esc. */
  wasInterrupted: boolean
}

/** Whether the screen changes what is believed: it is the last evidence, and it lags. */
export const believeScreen = (agent: Agent, shown: AgentState, msSinceHook: number): ScreenBelief | null => {
  const { state, question, evidence } = agent
  if (shown === state) return null
  if (isAsking(shown)) return isAsking(state) && question !== null ? null : { state: shown, wasInterrupted: false }
  if (msSinceHook < hookIsFreshMs) return null
  const wasAtWork = (state === 'working' || isAsking(state)) && evidence?.source === 'hook'
  return { state: shown, wasInterrupted: shown === 'idle' && wasAtWork }
}
