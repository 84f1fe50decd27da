import { ReinError } from '../contract/errors.ts'
import type { RouteName } from '../contract/routes.ts'
import type {
  CollectedView,
  CompactRequest,
  ForkedView,
  ForkRequest,
  FoundTurn,
  MovedView,
  ProgressLine,
  RewindRequest,
  SessionDetail,
  SessionDiff,
  SessionDiffRequest,
  SessionProgress,
  SessionSearchRequest,
  SessionTurnDetail,
  SessionView,
  UndoRequest,
} from '../contract/routes/sessions.ts'

interface Here {
  cwd: string
}

/** A session by its id, by a conversation of it, or by the agent that is in it. */
type InSession = Here & { target: string }

export type OnProgress = (progress: SessionProgress) => void

/** What agents did turn by turn, and ways back to any of these turns. */
export interface SessionClient {
  /** Newest first. */
  sessions(input: Here & { all?: boolean; limit?: number }): Promise<SessionView[]>
  session(input: InSession): Promise<SessionDetail>
  sessionTurn(input: InSession & { turn: string }): Promise<SessionTurnDetail>
  sessionDiff(input: SessionDiffRequest): Promise<SessionDiff>
  searchSessions(input: SessionSearchRequest): Promise<FoundTurn[]>
  /** These take their time, and have no limit: who waits is told how far they are. */
  rewind(input: RewindRequest, onProgress?: OnProgress): Promise<MovedView>
  undo(input: UndoRequest, onProgress?: OnProgress): Promise<MovedView>
  redo(input: UndoRequest, onProgress?: OnProgress): Promise<MovedView>
  fork(input: ForkRequest, onProgress?: OnProgress): Promise<ForkedView>
  compact(input: CompactRequest, onProgress?: OnProgress): Promise<MovedView>
  collectSessions(input: Here, onProgress?: OnProgress): Promise<CollectedView>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>
type Listen = <T>(route: RouteName, call: { input: object }) => AsyncGenerator<T>

export const createSessionClient = (ask: Ask, listen: Listen): SessionClient => {
  const finish = <T>(route: RouteName, input: object, onProgress?: OnProgress): Promise<T> =>
    resultOf(listen<ProgressLine<T>>(route, { input }), onProgress)
  return {
    sessions: (input) => ask('sessions', { input }),
    session: (input) => ask('session', { input }),
    sessionTurn: (input) => ask('sessionTurn', { input }),
    sessionDiff: (input) => ask('sessionDiff', { input }),
    searchSessions: (input) => ask('searchSessions', { input }),
    rewind: (input, onProgress) => finish('rewind', input, onProgress),
    undo: (input, onProgress) => finish('undo', input, onProgress),
    redo: (input, onProgress) => finish('redo', input, onProgress),
    fork: (input, onProgress) => finish('fork', input, onProgress),
    compact: (input, onProgress) => finish('compact', input, onProgress),
    collectSessions: (input, onProgress) => finish('collectSessions', input, onProgress),
  }
}

export const resultOf = async <T>(lines: AsyncIterable<ProgressLine<T>>, onProgress?: OnProgress): Promise<T> => {
  for await (const line of lines) {
    if ('result' in line) return line.result
    onProgress?.(line.progress)
  }
  throw new ReinError(
    'unavailable',
    'The daemon ended its answer before it was done.',
    '`rein session show` says how far it came.',
  )
}
