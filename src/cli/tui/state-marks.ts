import type { AgentState } from '../../contract/agent.ts'
import type { Span } from './terminal/line.ts'

/** A state is known by its mark as well, where there are no colours. */
export const stateMarks: Record<AgentState, { mark: string; tone?: Span['tone'] }> = {
  starting: { mark: '◌', tone: 'green' },
  working: { mark: '●', tone: 'green' },
  awaiting_permission: { mark: '?', tone: 'yellow' },
  awaiting_answer: { mark: '?', tone: 'yellow' },
  limited: { mark: '◷', tone: 'magenta' },
  paused: { mark: '‖', tone: 'cyan' },
  idle: { mark: '○' },
  crashed: { mark: '✗', tone: 'red' },
  looping: { mark: '✗', tone: 'red' },
  stopped: { mark: '·', tone: 'dim' },
}
