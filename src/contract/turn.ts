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
})
export type TurnUsage = z.infer<typeof TurnUsage>
