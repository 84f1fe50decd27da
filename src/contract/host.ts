import type { AgentModel, AgentState, HostKind, ProcessRef, Question } from './agent.ts'
import type { ToolCall } from './hooks.ts'
import type { Evidence } from './identity.ts'

/** How an agent process is to be started: what a driver's `launch` gives to a host. */
export interface LaunchPlan {
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
  /** The conversation that the process will have, where it can be chosen. */
  conversation: string | null
  firstPrompt: string | null
  /** Files of this agent's own that have to be there first, in its private directory. */
  files: PrivateFile[]
  /** For protocols in which the conversation is opened by a message, not by the command line. */
  opening?: Opening
}

/** Which conversation is to be opened, and how. */
export interface Opening {
  from: { kind: 'new' } | { kind: 'resume' | 'fork'; conversation: string }
  model: string | null
  mode: string | null
  /** The directory of Rein's skills, where it is registered by a message too. */
  skills?: string
  /** Standing instructions of the person, where they go with the same message. */
  instructions?: string
}

/** Written with its content, or a link to a file of the user's that only the CLI reads. */
export type PrivateFile = { path: string; content: string } | { path: string; linkTo: string }

/** Events that a host reports. */
export type HostEvent =
  /** `call` is the tool call that waits for the answer, where that is told; `tool` what it is in the CLI's own words, where the question has others. */
  | {
      kind: 'state'
      state: AgentState
      evidence: Evidence
      question: Question | null
      call?: string | null
      tool?: Pick<ToolCall, 'name' | 'input'> | undefined
      until?: number | null
    }
  | { kind: 'conversation'; conversation: string; evidence: Evidence }
  | { kind: 'model'; model: AgentModel }
  | { kind: 'activity' }
  /** The waiter of this agent was killed. */
  | { kind: 'waiter_died' }
  | { kind: 'exit'; code: number | null; signal: string | null; evidence: Evidence }

export type Answer =
  | { kind: 'allow' }
  /** `isToBeTold`: the model has to know why, also where a refusal has no place for it. */
  | { kind: 'deny'; message: string | null; isToBeTold?: boolean }
  | { kind: 'text'; text: string }

/** Whether a waiter listens for an agent in a terminal; `died`: it did, and was killed. */
export type WaiterState = 'listens' | 'died' | 'none'

/** A running agent as its host sees it. */
export interface HostedAgent {
  readonly process: ProcessRef
  prompt(text: string): Promise<void>
  /** Wakes it through the process of `rein-wait` that it listens to; false if there is none. */
  wakeWaiter(): boolean
  waiter(): WaiterState
  interrupt(): Promise<void>
  answer(question: Question, answer: Answer): Promise<void>
  /** Whether a person is at it: typing, looking back, or with a draft that would be lost. */
  isInUse?(): Promise<boolean>
  /** The reason to delay a turn that can wait: a person is using its terminal; null if not. */
  whyWait?(): Promise<string | null>
  /** The end of what it shows or says. */
  readScreen(lines: number): string
  /** Its turn is over, though its own protocol did not say so: nothing of it is waited for any more. */
  endTurn?(): void
  /** Ends the process and resolves only when it is gone. */
  stop(timeoutMs: number): Promise<void>
  /** Lets go of the agent without ending it: the next daemon adopts it. */
  release(): void
}

export interface Host {
  readonly kind: HostKind
  start(agentDir: string, plan: LaunchPlan, on: (event: HostEvent) => void): Promise<HostedAgent>
  /** Takes over an agent that outlived its daemon; null if that very process is gone. */
  adopt(agentDir: string, process: ProcessRef, on: (event: HostEvent) => void): Promise<HostedAgent | null>
}
