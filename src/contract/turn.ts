import { z } from 'zod'
import { defineRecords } from './record-kind.ts'

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
  /** The cost as the CLI reports it; absent if it reports none. */
  costUsd: z.number().optional(),
  model: z.string().nullable(),
  /** Tokens that fit into the context, where the CLI wrote that down with the reply. */
  window: z.number().optional(),
})
export type TurnUsage = z.infer<typeof TurnUsage>

/** A whole turn, as subscribers get it when it has ended. */
export const TurnLine = z.object({
  seq: z.number().describe('where it stands in the log: a subscriber goes on after it'),
  ts: z.number().describe('when it ended, milliseconds since 1970'),
  session: z.string().describe("the CLI's own conversation"),
  agent: z.string().describe('the handle of the agent'),
  project: z.string(),
  prompt: z
    .string()
    .nullable()
    .describe('null if its beginning is gone from the log, and in a line that adds to a turn'),
  turn: z.array(TurnBlock),
  reason: z.string().describe('why it ended; `late`: this was written after the end of its turn, and adds to it'),
  usage: TurnUsage.nullable(),
})
export type TurnLine = z.infer<typeof TurnLine>

/** The turns between these two are gone from the log. With `until` before `after`: the position is beyond its end. */
export const TurnGap = z.object({ gap: z.object({ after: z.number(), until: z.number() }) })
export type TurnGap = z.infer<typeof TurnGap>

const turnRef = z.object({ conversation: z.string(), turn: z.string() })

export const turnRecords = defineRecords('turns', {
  'turn.started': [1, turnRef.extend({ prompt: z.string(), entry: z.string() })],
  'turn.entry': [
    1,
    turnRef.extend({
      entry: z.string(),
      role: z.enum(['user', 'assistant', 'system']),
      blocks: z.array(TurnBlock),
      usage: TurnUsage.optional(),
    }),
  ],
  'turn.ended': [
    1,
    turnRef.extend({ leaf: z.string(), reason: z.string(), entries: z.number(), usage: TurnUsage.nullable() }),
  ],
  'turn.subagent_started': [1, turnRef.extend({ subagent: z.string(), kind: z.string(), description: z.string() })],
  'turn.subagent_stopped': [1, turnRef.extend({ subagent: z.string(), result: z.string() })],
})
