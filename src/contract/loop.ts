import { z } from 'zod'
import { defineRecords } from './record-kind.ts'

/**
 * `repeat`: the same calls in the same order, with the same results. `failing`: a command fails as it did before.
 * `undo`: changes that take each other back. `turns`: the same prompt gets the same turn.
 */
const loopKinds = ['repeat', 'failing', 'undo', 'turns'] as const
const LoopKind = z.enum(loopKinds)
type LoopKind = z.infer<typeof LoopKind>

/** Calls that an agent repeats while nothing changes. */
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
const NoticedLoop = z.object({
  loop: Loop,
  conversation: z.string().nullable(),
  subagent: z.string().nullable(),
})

export const loopRecords = defineRecords('loops', {
  /** An agent goes in circles, and was told so in these words. */
  'loop.noted': [1, NoticedLoop.extend({ text: z.string() })],
  /** Its next call of that kind was made a question to a person; `isDenied`: its CLI cannot ask, so it was not run. */
  'loop.asked': [1, NoticedLoop.extend({ isDenied: z.boolean() })],
  /** It was interrupted, and is paused. */
  'loop.stopped': [1, NoticedLoop.extend({ reason: z.string() })],
})
