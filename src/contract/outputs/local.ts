import { z } from 'zod'
import { Receipt } from '../directive.ts'
import { PsOutput } from '../routes/agents.ts'

export const ServiceOutput = z.object({
  file: z.string(),
  content: z.string().describe('what stands in the file, or would'),
  what: z
    .enum(['created', 'changed', 'unchanged', 'outdated', 'removed', 'absent'])
    .describe('what happened to the file, or what is to be said about it. outdated: this Rein would write another'),
  isActive: z.boolean().nullable().describe('whether the service runs; null if the service manager does not answer'),
  left: z.array(z.string()).describe('commands that could not be run and are left to do'),
  hint: z.string().nullable(),
})

/** With `--short` how many agents are in which state; else what `rein ps` prints. */
export const StatusOutput = z.union([z.array(z.object({ word: z.string(), count: z.number() })), PsOutput])

export const PathsOutput = z.object({
  state: z.string(),
  runtime: z.string(),
  config: z.string(),
  socket: z.string(),
  port: z.number().nullable().describe('loopback port; null before the first start'),
  log: z.string(),
})
export const ConfigItem = z.object({
  key: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.null()]),
  source: z.enum(['default', 'user', 'project', 'env', 'flag']),
  env: z.string().describe('the variable that sets it'),
})
export const ConfigOutput = z.array(ConfigItem)

export const CompletionsOutput = z.object({ shell: z.string(), script: z.string() })
export const DemoOutput = z.array(Receipt)

export type ServiceView = z.infer<typeof ServiceOutput>
export type PathsView = z.infer<typeof PathsOutput>
export type ConfigItemView = z.infer<typeof ConfigItem>
