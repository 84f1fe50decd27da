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

/** Why one was taken: a prompt came, a tool may have changed something, the agent stopped, or something is about to be overwritten. */
export const snapshotCauses = ['prompt', 'tool', 'stop', 'safety'] as const
export const SnapshotCause = z.enum(snapshotCauses)
export type SnapshotCause = z.infer<typeof SnapshotCause>

export const Skipped = z.object({ path: z.string(), reason: z.string(), bytes: z.number().nullable() })

/** A place in a session: the prompt (by its entry) that began the turn, in its conversation; null is before the first one. */
export const Place = z.object({ conversation: z.string(), turn: z.string().nullable() })
export type Place = z.infer<typeof Place>

export const rewindParts = ['code', 'chat', 'both'] as const
export const RewindPart = z.enum(rewindParts)
export type RewindPart = z.infer<typeof RewindPart>

/** Going to a turn of a session: its code, its conversation, or both. What was there before can always be gone back to. */
export const Rewind = z.object({
  id: z.string(),
  agent: AgentRef,
  session: z.string(),
  part: RewindPart,
  from: Place,
  to: Place,
  /** What the files were before; null if they are not touched. */
  safety: SnapshotRef.nullable(),
  /** What they are to be. */
  target: SnapshotRef.nullable(),
})
export type Rewind = z.infer<typeof Rewind>
