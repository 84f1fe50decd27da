import { z } from 'zod'
import { RunEnd } from '../run.ts'

export const RunSummary = z.object({
  kind: z.literal('summary'),
  reason: RunEnd,
  detail: z.string().describe('more about the reason, for people'),
  exitCode: z.number(),
  turns: z.number().describe('how many prompts were answered'),
  costUsd: z.number().nullable().describe('what it cost, as the CLI says; null if it says nothing'),
  text: z.string().describe('what the model said last'),
  agent: z.string().describe('its handle'),
  project: z.string(),
  driver: z.string(),
  model: z.string().nullable(),
  conversation: z.string().nullable().describe("the CLI's own; `rein run --resume` takes it"),
})

export const runOutputs = { 'rein run (the last line)': RunSummary } as const

export type RunSummary = z.infer<typeof RunSummary>
