import { z } from 'zod'
import { runEnds } from './run-ends.ts'
import { defineRecords } from './record-kind.ts'

export const RunEnd = z.enum(Object.keys(runEnds) as [keyof typeof runEnds])
export type RunEnd = z.infer<typeof RunEnd>

/** The state of a run so far. */
const standing = {
  turns: z.number().describe('how many of its prompts were answered'),
  costUsd: z.number().nullable().describe('what it cost, as the CLI says; null if it says nothing'),
}

/** As it is written down; the text of a prompt stands with its turn. */
const RunDecided = z.object({
  action: z.enum(['prompt', 'pause', 'end']),
  reason: z.string(),
  detail: z.string().optional(),
  ...standing,
})

/** The next action of a run, and its reason. */
export const RunDecision = z.discriminatedUnion('action', [
  z.object({ action: z.literal('prompt'), reason: z.string(), text: z.string().min(1), ...standing }),
  z.object({ action: z.literal('pause'), reason: z.string(), ...standing }),
  z.object({ action: z.literal('end'), reason: RunEnd, detail: z.string(), ...standing }),
])
export type RunDecision = z.infer<typeof RunDecision>

export const runRecords = defineRecords('runs', {
  /** The next action of the program that runs an agent turn by turn, and its reason. */
  'run.decided': [1, RunDecided],
})
