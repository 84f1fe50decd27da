import { z } from 'zod'

/** Figures of predictions that were made before each command was seen. */
const Rates = z.object({
  n: z.number(),
  hit1: z.number().nullable(),
  hit3: z.number().nullable(),
  hit5: z.number().nullable(),
  mrr: z.number().nullable(),
  afterFailureHit5: z.number().nullable(),
  p1at10: z.number().nullable().describe('how many of the surest tenth of first suggestions were right'),
})
const Level = z.object({
  micro: Rates,
  macro: z.object({
    groups: z.number(),
    hit1: z.number().nullable(),
    hit3: z.number().nullable(),
    hit5: z.number().nullable(),
  }),
})
const EvalOutput = z.object({
  commands: z.number(),
  groups: z.number(),
  exact: Level,
  template: Level,
  shuffled: z
    .object({ exact: Level, template: Level })
    .describe('the control: the same commands in another order')
    .nullable(),
})

export const WasteOutput = z.object({
  transcripts: z.number(),
  sessions: z.number(),
  commands: z.number(),
  failed: z.number(),
  retries: z.number(),
  wrongTool: z.number(),
  outputTokens: z.number(),
  wastedTokens: z.number(),
  wastedMinutes: z.number(),
  programs: z.array(z.object({ program: z.string(), runs: z.number(), failed: z.number(), wrongTool: z.number() })),
})

const ImportOutput = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['bash', 'zsh', 'fish', 'atuin', 'claude', 'codex']),
      commands: z.number(),
      taken: z.number(),
      known: z.number(),
      refused: z.number(),
      secrets: z.number(),
    }),
  ),
  found: z.array(z.string()).describe('which there are in the usual places, if none was named'),
})

/** The output of commands that use no route. */
export const memoryOutputs = {
  'rein memory import': ImportOutput,
  'rein memory eval': EvalOutput,
  'rein memory waste': WasteOutput,
} as const

export type EvalView = z.infer<typeof EvalOutput>
export type WasteView = z.infer<typeof WasteOutput>
export type ImportView = z.infer<typeof ImportOutput>
