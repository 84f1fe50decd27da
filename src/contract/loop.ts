import { z } from 'zod'

/**
 * `repeat`: the same calls in the same order, with the same results. `failing`: a command fails as it did before.
 * `undo`: changes that take each other back. `turns`: the same prompt gets the same turn.
 */
export const loopKinds = ['repeat', 'failing', 'undo', 'turns'] as const
const LoopKind = z.enum(loopKinds)
type LoopKind = z.infer<typeof LoopKind>

/** What an agent does again and again, while nothing changes. */
export const Loop = z.object({
  kind: LoopKind,
  /** The calls of one round, in short. */
  calls: z.array(z.string()),
  count: z.number(),
  /** How the last one ended, in short. */
  result: z.string(),
})
export type Loop = z.infer<typeof Loop>

/** Where it was noticed; a sub-agent is counted by itself. */
export const NoticedLoop = z.object({
  loop: Loop,
  conversation: z.string().nullable(),
  subagent: z.string().nullable(),
})
