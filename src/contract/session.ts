import { z } from 'zod'
import { AgentRef } from './identity.ts'

/** The work tree at one moment. `tree` says whether two of them hold the same. */
export const SnapshotRef = z.object({
  id: z.string(),
  tree: z.string(),
  head: z.string().nullable(),
  branch: z.string().nullable(),
})
export type SnapshotRef = z.infer<typeof SnapshotRef>

/** Why one was taken: a prompt came, a tool may have changed something, or the agent stopped. */
export const snapshotCauses = ['prompt', 'tool', 'stop'] as const
export const SnapshotCause = z.enum(snapshotCauses)
export type SnapshotCause = z.infer<typeof SnapshotCause>

export const Skipped = z.object({ path: z.string(), reason: z.string(), bytes: z.number().nullable() })

/** A place in a session: the prompt (by its entry) that began the turn, in its conversation. Null is before the first one; a conversation that has none may not even have a name. */
export const Place = z.object({ conversation: z.string().nullable(), turn: z.string().nullable() })
export type Place = z.infer<typeof Place>

export const movedParts = ['code', 'chat', 'both'] as const
export const MovedPart = z.enum(movedParts)
export type MovedPart = z.infer<typeof MovedPart>

export const moveKinds = ['rewind', 'undo', 'redo', 'compact'] as const
export const MoveKind = z.enum(moveKinds)
export type MoveKind = z.infer<typeof MoveKind>

/** Files in a work tree before and after a move. */
export const MovedFiles = z.object({
  root: z.string(),
  /** What they were: this is what an undo brings back. */
  safety: SnapshotRef,
  target: SnapshotRef,
})
export type MovedFiles = z.infer<typeof MovedFiles>

/** An agent goes to another place of its session: with its code, its conversation, or both. What was there before can always be gone back to. */
export const Move = z.object({
  id: z.string(),
  kind: MoveKind,
  /** The move that is taken back or done again. */
  of: z.string().nullable(),
  agent: AgentRef,
  session: z.string(),
  part: MovedPart,
  from: Place,
  to: Place,
  /** Null if none are touched. */
  files: MovedFiles.nullable(),
  /** The agent ran when it was asked for, and is started again afterwards. */
  wasRunning: z.boolean(),
})
export type Move = z.infer<typeof Move>
