import { z } from 'zod'

/** One block of a turn: the kinds Rein understands, everything else passed through as the CLI wrote it. */
export const TurnBlock = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('thinking'), thinking: z.string() }),
  z.object({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
  z.object({
    type: z.literal('tool_result'),
    id: z.string(),
    text: z.string(),
    isError: z.boolean(),
  }),
  z.object({ type: z.literal('context'), source: z.string(), text: z.string() }),
  z.object({ type: z.literal('other'), raw: z.unknown() }),
])
export type TurnBlock = z.infer<typeof TurnBlock>

export const TurnUsage = z.object({
  inputTokens: z.number(),
  /** Read from a cache or written to one: in the context like the others, but not among `inputTokens`. */
  cacheTokens: z.number().optional(),
  outputTokens: z.number(),
  /** What the CLI itself says that it cost; absent if it says nothing. */
  costUsd: z.number().optional(),
  model: z.string().nullable(),
  /** Tokens that fit into the context, where the CLI wrote that down with the reply. */
  window: z.number().optional(),
})
export type TurnUsage = z.infer<typeof TurnUsage>

/** A whole turn, as subscribers get it when it has ended. */
export interface TurnLine {
  /** Where it stands in the log: a subscriber goes on after it. */
  seq: number
  /** When it ended, milliseconds since 1970. */
  ts: number
  /** The CLI's own conversation. */
  session: string
  /** The handle of the agent. */
  agent: string
  project: string
  /** Null if its beginning is gone from the log, and in a line that adds to a turn. */
  prompt: string | null
  turn: TurnBlock[]
  /** Why it ended; `late`: this was written after the end of its turn, and adds to it. */
  reason: string
  usage: TurnUsage | null
}

/** What was between these two is gone: the log does not reach back that far. With `until` before `after`: nor that far ahead. */
export interface TurnGap {
  gap: { after: number; until: number }
}
