import type { z } from 'zod'
import type * as api from './session-api.ts'

/** The shapes of session-api.ts for callers that must not load the schemas. */
export type SessionView = z.infer<typeof api.SessionView>
export type SessionTurnView = z.infer<typeof api.TurnView>
export type SessionMoveView = z.infer<typeof api.MoveView>
export type SessionDetail = z.infer<typeof api.SessionOutput>
export type FileChange = z.infer<typeof api.FileChange>
export type SessionTurnDetail = z.infer<typeof api.SessionTurnOutput>
export type SessionDiffRequest = z.input<typeof api.SessionDiffInput>
export type SessionDiff = z.infer<typeof api.SessionDiffOutput>
export type SessionSearchRequest = z.input<typeof api.SessionSearchInput>
export type FoundTurn = z.infer<typeof api.FoundTurn>
export type RewindRequest = z.input<typeof api.RewindInput>
export type UndoRequest = z.input<typeof api.UndoInput>
export type CompactRequest = z.input<typeof api.CompactInput>
export type MovedView = z.infer<typeof api.MoveOutput>
export type ForkRequest = z.input<typeof api.ForkInput>
export type ForkedView = z.infer<typeof api.ForkOutput>
export type CollectedView = z.infer<typeof api.SessionGcOutput>

/** How far something is that takes its time; `total` is 0 while it is not known. */
export interface SessionProgress {
  what: string
  done: number
  total: number
}

/** What takes its time is answered by lines: how far it is, and at last what came of it. */
export type ProgressLine<T> = { progress: SessionProgress } | { result: T }
