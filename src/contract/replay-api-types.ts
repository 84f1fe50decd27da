import type { z } from 'zod'
import type * as api from './replay-api.ts'

/** The shapes of replay-api.ts for callers that must not load the schemas. */
export type RecordingView = z.infer<typeof api.RecordingOutput>
export type RecordingTurnView = RecordingView['turns'][number]
export type RecordedTree = NonNullable<RecordingTurnView['after']>
export type ReplayedTurnView = z.infer<typeof api.ReplayedTurn>
export type ReplayView = z.infer<typeof api.ReplayOutput>
export type ReplayPreviewView = z.infer<typeof api.ReplayPreviewOutput>
export type Reach = ReplayView['outside'][number]
