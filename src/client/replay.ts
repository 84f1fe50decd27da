import type { RecordingView } from '../contract/routes/replay.ts'
import type { RouteName } from '../contract/routes.ts'

interface InSession {
  cwd: string
  target: string
}

/** What playing a session again needs. */
export interface ReplayClient {
  /** Up to a turn, or to where the agent is. */
  recording(input: InSession & { until?: string }): Promise<RecordingView>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createReplayClient = (ask: Ask): ReplayClient => ({
  recording: (input) => ask('recording', { input }),
})
