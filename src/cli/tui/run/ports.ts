import type { Question } from '../../../contract/agent.ts'
import type { LiveEvent } from '../../../contract/live.ts'

/** Events of the agent, and of the run that drives it. */
export type ScreenEvent =
  | LiveEvent
  | { kind: 'note'; text: string }
  /** How far a command is that takes its time. */
  | { kind: 'progress'; text: string }

/** A move, from turn to turn, and what is said about it. */
export interface Moved {
  text: string
  from: string
  to: string
}

/** All that the view of `rein run` wants of the world. What takes a place in the conversation is answered with plain text for it. */
export interface RunPorts {
  /** From now on, with the state first; when they end, the run is over. */
  events(signal: AbortSignal): AsyncIterable<ScreenEvent>
  /** Resolves when the agent has taken it. */
  prompt(text: string): Promise<void>
  interrupt(): Promise<void>
  /** `allow`, `deny`, the name of an option, or words. */
  answer(question: Question, answer: string): Promise<void>
  rewind(turn: number): Promise<Moved>
  undo(): Promise<Moved>
  redo(): Promise<Moved>
  /** Without a turn, from where it is. */
  fork(turn: number | null): Promise<string>
  compact(): Promise<string>
  turns(): Promise<string>
  session(): Promise<string>
  cost(): Promise<string>
  setModel(name: string): Promise<string>
}

export interface ScreenOptions {
  title: string
  cwd: string
  isVerbose: boolean
  /** Where what was sent is kept for the next time. */
  historyFile: string
  /** Sent as soon as the agent can take them. */
  prompts: readonly string[]
}
