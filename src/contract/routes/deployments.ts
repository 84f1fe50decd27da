import { z } from 'zod'
import { type ClientInput, HereInput } from './fields.ts'
import { route, type Routes } from './route.ts'

const callerEnv = z.record(z.string(), z.string()).describe('the caller’s environment: CLIs move their files by it')
export const SetupInput = HereInput.extend({
  clis: z.array(z.string()).max(100).default([]).describe('empty: all'),
  isGlobal: z.boolean().default(false).describe('for everything of this user, not for the project'),
  isShared: z.boolean().default(false).describe('into files that others get with the repository'),
  isOnPath: z
    .boolean()
    .default(false)
    .describe('the caller’s `rein` is this Rein: files of a project name the MCP server `rein mcp`'),
  env: callerEnv,
  dryRun: z.boolean().default(false),
})
export const CleanupInput = SetupInput.extend({
  everywhere: z.boolean().default(false).describe('in all projects and for everything of this user'),
})
export const DeployOutput = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      drivers: z.array(z.string()).describe('for which agent CLIs'),
      what: z
        .enum(['created', 'changed', 'unchanged', 'restored', 'cleaned', 'removed', 'refused'])
        .describe(
          'what happened to the file. restored: it has its original bytes again; cleaned: only Rein’s part was taken out, for it was edited since; refused: it is as it was',
        ),
      line: z.number().nullable().describe('where the reason for a refusal stands'),
      column: z.number().nullable(),
      reason: z.string().nullable(),
      diff: z.string().describe('unified; empty if nothing changes'),
    }),
  ),
  skipped: z.array(z.object({ driver: z.string(), reason: z.string() })).describe('agent CLIs that were left out'),
})

export type SetupRequest = ClientInput<typeof SetupInput>
export type DeployView = z.infer<typeof DeployOutput>

/** The entries of Rein in the files of agent CLIs. */
export const deploymentRoutes = {
  setup: route({
    method: 'POST',
    path: '/v1/deployments',
    input: SetupInput,
    output: DeployOutput,
    scope: 'admin',
    isLocal: true,
    limitMs: 120_000,
    commands: ['rein setup'],
    help: 'Puts hooks, MCP server and skills into the files of agent CLIs.',
  }),
  cleanup: route({
    method: 'POST',
    path: '/v1/deployments/cleanup',
    input: CleanupInput,
    output: DeployOutput,
    scope: 'admin',
    isLocal: true,
    limitMs: 120_000,
    commands: ['rein cleanup'],
    help: 'Takes out what `setup` has put in.',
  }),
} satisfies Routes
