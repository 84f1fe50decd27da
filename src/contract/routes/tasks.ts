import { z } from 'zod'
import { AgentState, OwnHost } from '../agent.ts'
import { Handle } from '../identity.ts'
import { Policy } from '../policy.ts'
import { LeaseOutput } from './leases.ts'
import { leadMessages, Task, TaskName, TaskRole } from '../task.ts'
import { HereInput, time } from './fields.ts'
import { PublishOutput } from './team.ts'

const worktrees = Task.shape.worktrees
/** More than this nobody looks after. */
export const mostAgents = 50

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
  /** What the directory, and its team file, make agents run is trusted from now on. */
  trust: z.boolean().optional(),
  env: z.record(z.string(), z.string()).describe('the caller’s environment: the agents run in it'),
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
  agents: z.number().int().min(0).max(mostAgents, `${mostAgents} agents are the most`),
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
  problems: z.array(z.string()).describe('what is not as it should be, or could not be done'),
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

/** What the commands about tasks print with `--json`. */
export const taskOutputs = {
  'rein task new': TaskOutput,
  'rein task list': TasksOutput,
  'rein task show': TaskOutput,
  'rein task start': TaskOutput,
  'rein task pause': TaskOutput,
  'rein task unpause': TaskOutput,
  'rein task stop': TaskOutput,
  'rein task done': TaskOutput,
  'rein orchestrate': TaskOutput,
  'rein msg': PublishOutput,
  'rein team up': TeamOutput,
  'rein team down': TeamOutput,
  'rein team status': TeamOutput,
} as const

export type TeamLaunchRequest = z.input<typeof TeamLaunch>
export type NewTaskRequest = z.input<typeof NewTaskInput>
export type StartTaskRequest = z.input<typeof StartTaskInput>
export type PauseTaskRequest = z.input<typeof PauseTaskInput>
export type StopTaskRequest = z.input<typeof StopTaskInput>
export type OrchestrateRequest = z.input<typeof OrchestrateInput>
export type TellLeadRequest = z.input<typeof TellLeadInput>
export type TaskMemberView = z.infer<typeof TaskMemberOutput>
export type TaskView = z.infer<typeof TaskOutput>
export type TeamUpRequest = z.input<typeof TeamUpInput>
export type TeamView = z.infer<typeof TeamOutput>
