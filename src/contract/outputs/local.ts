import { z } from 'zod'
import { Receipt } from '../directive.ts'
import { DoctorOutput } from '../routes/daemon.ts'

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

/** How many agents are in which state. */
export const StatusOutput = z.array(z.object({ word: z.string(), count: z.number() }))

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

export const DoctorReport = DoctorOutput.extend({
  ready: z.boolean().describe('whether agents can be started: no check failed but optional ones'),
})

export const CompletionsOutput = z.object({ shell: z.string(), script: z.string() })
const DocsPage = z.object({
  topic: z.string().describe('what `rein docs` takes'),
  section: z.string(),
  title: z.string(),
  about: z.string(),
  path: z.string().describe('the file'),
})
export const DocsOutput = z.object({
  pages: z.array(DocsPage).describe('all pages, or the one that was asked for'),
  text: z.string().nullable().describe('the page that was asked for; null without a topic'),
})
export const DemoOutput = z.array(Receipt)

export type DoctorReportView = z.infer<typeof DoctorReport>
export type ServiceView = z.infer<typeof ServiceOutput>
export type PathsView = z.infer<typeof PathsOutput>
export type DocsPageView = z.infer<typeof DocsPage>
export type DocsView = z.infer<typeof DocsOutput>
export type ConfigItemView = z.infer<typeof ConfigItem>
