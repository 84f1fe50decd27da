import type { AgentState, Question } from './agent.ts'
import type { MovedView } from './routes/sessions.ts'
import type { TurnUsage } from './turn.ts'

/** Those who look at agents as they work. */
export interface Viewers {
  /** Whether anybody looks at this agent: what nobody looks at costs nothing. */
  isWatched(agent: string): boolean
  tell(agent: string, event: LiveEvent): void
}

/** What happens in an agent as it happens, for whoever looks at it: pieces of text before they are a turn. */
export type LiveEvent =
  /** A prompt that it has taken, whoever gave it. */
  | { kind: 'prompt'; text: string }
  /** The model was asked, and replies: how often is what limits count. Told once for each, as it begins or at its end. */
  | { kind: 'reply'; told: 'begin' | 'end' }
  /** A piece of what the model says or thinks; pieces of one block follow each other. */
  | { kind: 'text' | 'thinking'; text: string }
  /** `isSubagent`: a sub-agent made this call. */
  | { kind: 'tool'; id: string; name: string; input: Record<string, unknown>; isSubagent: boolean }
  | { kind: 'tool_result'; id: string; text: string; isError: boolean }
  /** Of the turn so far; `costUsd` of the whole conversation, where the CLI says it. */
  | { kind: 'usage'; usage: TurnUsage }
  | { kind: 'model'; model: string }
  /** `isHeldUp`: Rein itself has paused it, for that reason. */
  | { kind: 'state'; state: AgentState; question: Question | null; reason: string; isHeldUp?: boolean }
  /** The turn is over; `wasInterrupted`: somebody cut it off. */
  | { kind: 'ended'; reason: string; isError: boolean; wasInterrupted: boolean }
  /** So many of its sub-agents work in the background now: with the end of the last it begins a turn by itself. */
  | { kind: 'background'; running: number }
  /** It went to another place of its session, whoever wanted that. */
  | { kind: 'moved'; move: Pick<MovedView, 'id' | 'kind' | 'agent' | 'part' | 'from' | 'to'> }
  /** So many events are missing here, because whoever reads was too slow; 0 where nobody can tell. */
  | { kind: 'gap'; missed: number }
  /** Whatever else the CLI printed, as it printed it. */
  | { kind: 'other'; raw: unknown }
