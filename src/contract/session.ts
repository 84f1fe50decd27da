import { z } from 'zod'
import { AgentRef } from './identity.ts'
import { defineRecords } from './record-kind.ts'

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
  /** The files before the move: an undo restores them. */
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

export const sessionRecords = defineRecords(
  'sessions',
  {
    /** The files as they were when this happened; `at` is when it was asked for, `isClean` whether no tool ran meanwhile. */
    'session.snapshot': [
      1,
      z.object({
        conversation: z.string(),
        cause: SnapshotCause,
        at: z.number(),
        isClean: z.boolean(),
        root: z.string(),
        snapshot: SnapshotRef,
        skipped: z.array(Skipped),
      }),
    ],
    /** This conversation goes on from a place in another one of the session: its turns up to now are that one's. */
    'session.continued': [1, z.object({ session: z.string(), conversation: z.string(), from: Place })],
    /** Said once when it begins, and again when it is known what its files were. */
    'session.moving': [1, z.object({ move: Move })],
    /** `conversation` is where it goes on; null for one that the CLI begins anew. */
    'session.moved': [1, z.object({ move: z.string(), conversation: z.string().nullable() })],
    /**
     * Everything is as it was before; `found` is the snapshot of what the files were until then, if they had been touched.
     * `filesStay`: they could not be put back, or were edited since; an undo still can.
     */
    'session.failed': [
      1,
      z.object({ reason: z.string(), move: z.string(), found: z.string().nullable(), filesStay: z.boolean() }),
    ],
    /** Snapshots of a work tree that are no longer there. */
    'session.dropped': [1, z.object({ root: z.string(), snapshots: z.array(z.string()) })],
    /** A session left in a bundle, which this hash names. */
    'session.exported': [
      1,
      z.object({ session: z.string(), sha256: z.string(), turns: z.array(z.string()), isRedacted: z.boolean() }),
    ],
    /** One came in a bundle; `conversation` is where it goes on as a whole, null if it does with a summary. */
    'session.imported': [
      1,
      z.object({
        session: z.string(),
        root: z.string(),
        turns: z.array(z.string()),
        conversation: z.string().nullable(),
        /** Accepted files that can run or steer something: how many of each class, and the first ones. */
        agreed: z.array(z.object({ class: z.string(), count: z.number(), paths: z.array(z.string()) })).default([]),
      }),
    ],
  },
  { isClean: true },
)
