import { z } from 'zod'
import { AgentState, OwnHost } from '../agent.ts'
import { Handle } from '../identity.ts'
import { Policy } from '../policy.ts'
import { mostAgents } from '../task-limits.ts'
import { leadMessages, Task, TaskName, TaskRole } from '../task.ts'
import { type ClientInput, HereInput, time } from './fields.ts'
import { LeaseOutput } from './leases.ts'
import { route, type Routes } from './route.ts'
import { PublishOutput } from './team.ts'

const worktrees = Task.shape.worktrees

/** How agents are started where nothing else says it. */
export const TeamLaunch = z.object({
  host: OwnHost,
  /** The first is the lead's; the others get one after the other, over and over. */
  drivers: z.array(z.string()).min(1).max(mostAgents),
  /** The model for agents of a driver. */
  models: z.record(z.string(), z.string()).default({}),
  permissionMode: z.string().optional(),
  autoApprove: z.boolean().optional(),
  policy: Policy.optional(),
  /** Trusts the programs that the directory and its team file make agents run. */
  trust: z.boolean().optional(),
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'the caller’s environment: the agents run in it; left out: each in that of its last launch, else in the daemon’s',
    ),
})

export const TaskInput = HereInput.extend({ name: TaskName })
export const NewTaskInput = TaskInput.extend({
  spec: z.string().max(1_000_000).optional(),
  prompt: z.string().max(1_000_000).optional(),
  worktrees: worktrees.optional(),
})
export const StartTaskInput = TaskInput.extend({ launch: TeamLaunch })
export const PauseTaskInput = TaskInput.extend({ now: z.boolean().default(false) })
export const StopTaskInput = TaskInput.extend({ force: z.boolean().default(false) })
export const OrchestrateInput = NewTaskInput.extend({
  agents: z.number().int().min(0).max(mostAgents, `at most ${mostAgents} are possible`),
  launch: TeamLaunch,
  /** The lead that there was is dead: another one takes its place. */
  takeOver: z.boolean().default(false),
  /** The team's file gets these agents. */
  save: z.boolean().default(false),
})
export const TellLeadInput = HereInput.extend({ kind: z.enum(leadMessages), text: z.string().min(1) })

export const TaskMemberOutput = z.object({
  handle: z.string(),
  role: TaskRole,
  driver: z.string().nullable(),
  state: AgentState.nullable(),
  since: time('when it came into this state').nullable(),
  cwd: z.string().nullable(),
  worktree: z.string().nullable(),
  branch: z.string().nullable(),
})
export const TaskOutput = z.object({
  name: z.string(),
  project: z.string(),
  root: z.string().describe('the top of the project'),
  dir: z.string().describe('where its texts are'),
  room: z.string(),
  state: Task.shape.state,
  reason: z.string().nullable(),
  since: time('when it came into this state'),
  createdAt: time('when it was made'),
  worktrees,
  members: z.array(TaskMemberOutput),
  blockers: z
    .array(z.object({ id: z.string(), from: z.string(), at: time('when'), text: z.string() }))
    .describe('what its lead has not dealt with'),
  leases: z.array(LeaseOutput).describe('the files that its agents hold'),
  handoverAt: time('when a handover was written last').nullable(),
  problems: z.array(z.string()).describe('problems found, and steps that failed'),
})
export const TasksOutput = z.array(TaskOutput)

export const TeamInput = HereInput
export const TeamUpInput = HereInput.extend({ launch: TeamLaunch })
export const TeamOutput = z.object({
  file: z.string().describe('where it is said who is in the team'),
  project: z.string(),
  agents: z.array(
    z.object({
      handle: Handle,
      driver: z.string(),
      task: z.string().nullable(),
      state: AgentState.nullable().describe('null: it was never started'),
      did: z.enum(['started', 'stopped', 'nothing']),
      error: z.string().nullable().describe('why it could not be started, or stopped'),
    }),
  ),
})

export type TeamLaunchRequest = z.input<typeof TeamLaunch>
export type OrchestrateRequest = ClientInput<typeof OrchestrateInput>
export type TaskMemberView = z.infer<typeof TaskMemberOutput>
export type TaskView = z.infer<typeof TaskOutput>
export type TeamView = z.infer<typeof TeamOutput>

/** Tasks, and the agents that are started for them. */
export const taskRoutes = {
  newTask: route({
    method: 'POST',
    path: '/v1/tasks',
    input: NewTaskInput,
    output: TaskOutput,
    scope: 'control',
    commands: ['rein task new'],
    help: 'Makes a task.',
  }),
  tasks: route({
    method: 'GET',
    path: '/v1/tasks',
    input: TeamInput,
    output: TasksOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein task list'],
    help: 'Lists the tasks of a project.',
  }),
  task: route({
    method: 'GET',
    path: '/v1/tasks/one',
    input: TaskInput,
    output: TaskOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein task show'],
    help: 'Shows a task.',
  }),
  startTask: route({
    method: 'POST',
    path: '/v1/tasks/start',
    input: StartTaskInput,
    output: TaskOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein task start'],
    help: 'Starts the agents of a task again, or one if it has none.',
  }),
  pauseTask: route({
    method: 'POST',
    path: '/v1/tasks/pause',
    input: PauseTaskInput,
    output: TaskOutput,
    scope: 'control',
    commands: ['rein task pause'],
    help: 'Pauses the agents of a task.',
  }),
  unpauseTask: route({
    method: 'POST',
    path: '/v1/tasks/unpause',
    input: TaskInput,
    output: TaskOutput,
    scope: 'control',
    commands: ['rein task resume'],
    help: 'Lets the agents of a task go on.',
  }),
  stopTask: route({
    method: 'POST',
    path: '/v1/tasks/stop',
    input: StopTaskInput,
    output: TaskOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein task stop'],
    help: 'Ends the agents of a task.',
  }),
  finishTask: route({
    method: 'POST',
    path: '/v1/tasks/done',
    input: StopTaskInput,
    output: TaskOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein task done'],
    help: 'Ends a task for good.',
  }),
  orchestrate: route({
    method: 'POST',
    path: '/v1/tasks/orchestrate',
    input: OrchestrateInput,
    output: TaskOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein orchestrate'],
    help: 'Makes a task with a lead and its agents.',
  }),
  tellLead: route({
    method: 'POST',
    path: '/v1/tasks/lead',
    input: TellLeadInput,
    output: PublishOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein task report'],
    help: 'Tells the lead of its task something, from an agent.',
  }),
  teamUp: route({
    method: 'POST',
    path: '/v1/team/up',
    input: TeamUpInput,
    output: TeamOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein team up'],
    help: 'Starts the agents of the team file.',
  }),
  teamDown: route({
    method: 'POST',
    path: '/v1/team/down',
    input: TeamInput,
    output: TeamOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein team down'],
    help: 'Ends the agents of the team file.',
  }),
  teamStatus: route({
    method: 'GET',
    path: '/v1/team',
    input: TeamInput,
    output: TeamOutput,
    scope: 'read',
    commands: ['rein team status'],
    help: 'Tells which agents of the team file run.',
  }),
} satisfies Routes
