import { z } from 'zod'
import { LogLine } from '../record.ts'
import { flag, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const HelloOutput = z.object({ id: z.string(), version: z.string(), pid: z.number() })

export const StatusOutput = z.object({
  pid: z.number().describe('process id of the daemon'),
  version: z.string().describe('version of the daemon'),
  since: time('when it started'),
  agents: z.number().describe('how many agents are running'),
  directives: z.number().describe('how many directives are open'),
  accepted: z.number().describe('directives accepted since it started'),
  commits: z.number().describe('commits (one fsync each) since it started'),
  damage: z.array(z.string()).describe('what was found to be damaged in the database, in sentences'),
})

export const RebuildOutput = z.object({
  records: z.number().describe('how many records were replayed'),
  skipped: z.array(z.number()).describe('the numbers of those of which nothing could be made'),
})
export const StopOutput = z.object({
  stopped: z.boolean().describe('false if there was none to stop'),
  pid: z.number().nullable().describe('the process that has ended'),
  killed: z.boolean().describe('whether it did not answer and was killed'),
})

export const TailInput = z.object({
  after: z.coerce.number<number>().int().min(0).optional().describe('left out: from the oldest that is still there'),
  follow: flag,
})

export const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  optional: z.boolean().optional().describe('true: it is missing, and Rein works without it'),
  detail: z.string(),
  hint: z.string().optional().describe('what to do, mostly what to type'),
})
export const DoctorInput = z.object({
  cwd: z
    .string()
    .optional()
    .describe('the caller’s directory: what `rein setup` has put there, or above, is tried by a start there'),
  env: z.record(z.string(), z.string()).describe('the caller’s environment: CLIs are looked for in it'),
  quick: z.boolean().default(false).describe('start no CLI to see whether its hooks fire'),
})
export const DoctorOutput = z.object({
  checks: z.array(Check),
  drivers: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      path: z.string().nullable(),
      version: z.string().nullable(),
      minVersion: z.string().describe('the oldest version that is supported'),
      login: z
        .enum(['found', 'none', 'unknown'])
        .describe('whether a login was found, without reading it; unknown: there are ways that cannot be looked at'),
      capabilities: z
        .record(z.string(), z.object({ tmux: z.boolean(), stream: z.boolean(), reason: z.string().nullable() }))
        .nullable()
        .describe('in a terminal and headless; the reason why not'),
      hooks: z
        .object({ fired: z.boolean(), detail: z.string() })
        .nullable()
        .describe('whether its hooks really fire here; null if that was not tried'),
    }),
  ),
})

export type Hello = z.infer<typeof HelloOutput>
export type Status = z.infer<typeof StatusOutput>
export type Stopped = z.infer<typeof StopOutput>
export type DoctorView = z.infer<typeof DoctorOutput>
export type DoctorCheck = z.infer<typeof Check>

/** The daemon itself. */
export const daemonRoutes = {
  hello: route({
    method: 'GET',
    path: '/v1/hello',
    output: HelloOutput,
    scope: 'read',
    agentMay: true,
    help: 'Says which daemon this is: a client compares the id with the registration.',
  }),
  status: route({
    method: 'GET',
    path: '/v1/daemon',
    output: StatusOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein daemon status', 'rein daemon start'],
    help: 'Counts agents, directives and commits of this daemon.',
  }),
  stop: route({
    method: 'POST',
    path: '/v1/daemon/stop',
    output: StopOutput,
    scope: 'admin',
    commands: ['rein daemon stop'],
    help: 'Ends the daemon; agents go on.',
  }),
  rebuild: route({
    method: 'POST',
    path: '/v1/daemon/rebuild',
    output: RebuildOutput,
    scope: 'admin',
    limitMs: 600_000,
    commands: ['rein daemon rebuild'],
    help: 'Makes the tables of current state anew from the log.',
  }),
  doctor: route({
    method: 'POST',
    path: '/v1/doctor',
    input: DoctorInput,
    output: DoctorOutput,
    scope: 'admin',
    isLocal: true,
    limitMs: 120_000,
    help: 'Checks the daemon, its database, what was set up, and each agent CLI with its hooks.',
  }),
  tail: route({
    method: 'GET',
    path: '/v1/topics/:topic',
    input: TailInput,
    output: LogLine,
    stream: true,
    scope: 'read',
    help: 'Reads a topic of the log, and follows it.',
  }),
} satisfies Routes
