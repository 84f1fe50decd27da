import type { AgentView } from '../contract/routes/agents.ts'
import type { LiveEvent } from '../contract/live.ts'
import type { RouteName } from '../contract/routes.ts'
import type { RunDecision } from '../contract/run.ts'

interface Target {
  target: string
  cwd: string
}

/** An agent as it works, and what is to be done next. */
export interface RunClient {
  /** Its state first. `owns`: it is ended when this reader is gone. */
  live(input: Target & { owns?: boolean }, signal?: AbortSignal): AsyncGenerator<LiveEvent>
  /** For an agent without a terminal that is idle. */
  prompt(input: Target & { text: string }): Promise<AgentView>
  /** Written down, then done. */
  decideRun(input: Target & { decision: RunDecision }): Promise<AgentView>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>
type Listen = <T>(route: RouteName, call: { input: object; signal?: AbortSignal }) => AsyncGenerator<T>

export const createRunClient = (ask: Ask, listen: Listen): RunClient => ({
  live: (input, signal) => listen('live', { input, ...(signal === undefined ? {} : { signal }) }),
  prompt: (input) => ask('prompt', { input }),
  decideRun: (input) => ask('decideRun', { input }),
})
