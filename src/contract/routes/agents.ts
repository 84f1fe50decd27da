import { z } from 'zod'
import { AgentState, Health, HostKind, LaunchRequest, Question } from '../agent.ts'
import { Evidence, Handle } from '../identity.ts'
import { LogLine } from '../record.ts'
import { TurnUsage } from '../turn.ts'
import { wakeWays } from '../wake.ts'
import { flag, Target, TargetOrSelf, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const UpInput = z.object({
  handle: Handle,
  driver: z.string(),
  host: HostKind,
  request: LaunchRequest,
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'the caller’s environment: the agent runs in it; left out: in that of its last launch, else in the daemon’s',
    ),
  trust: z.boolean().optional().describe('whether what the directory makes the CLI run is trusted from now on'),
})

export const InboxCounts = z.object({
  queued: z.number().describe('waiting, held ones included, without notices'),
  notices: z
    .number()
    .optional()
    .describe(
      'notices of unread messages that wait for its next turn and wake it for nothing; left out if there is none',
    ),
  offered: z.number(),
  placed: z.number(),
  seen: z.number(),
  acked: z.number(),
})

/** The last activity of an agent, by its transcript. */
export const AgentDetail = z.object({
  last: z
    .object({ kind: z.enum(['prompt', 'text', 'tool']), text: z.string() })
    .nullable()
    .describe('its last prompt, text or tool call, on one line'),
  said: z.string().describe('the end of its last words'),
  usage: TurnUsage.nullable().describe('tokens of its newest reply'),
  window: z.number().nullable().describe('size of its context in tokens; null if unknown'),
  percent: z.number().nullable().describe('how full its context is'),
})

export const AgentOutput = z.object({
  handle: z.string(),
  project: z.string(),
  driver: z.string(),
  version: z.string().describe('version of the agent CLI'),
  host: HostKind,
  state: AgentState,
  since: time('when it came into this state'),
  evidence: Evidence.nullable().describe('why Rein believes that: where it was read'),
  cwd: z.string(),
  branch: z.string().optional().describe('the git branch that its directory is on; left out: none, or not known'),
  pid: z.number().nullable(),
  conversation: z.string().nullable(),
  question: Question.nullable().describe('the question that waits for a person'),
  inbox: InboxCounts,
  until: time('when this state is expected to end by itself: the next restart, the end of a usage limit').nullable(),
  isPaused: z.boolean().describe('it starts no new turn'),
  pauseReason: z.string().nullable().describe('why Rein has paused it; null if a person has'),
  crashes: z.number().describe('crashes that count for the next restart'),
  health: Health.describe('the state of the parts that Rein added to it'),
  weakened: z
    .array(z.string())
    .describe('what in its project steers or switches off Rein’s hooks: rules and guards may not hold'),
  wake: z
    .enum(wakeWays)
    .nullable()
    .describe(
      'how it is woken when it is idle; `keys_instead`: its waiter is gone, so Rein types; `none`: not before its next turn; null: it does not run',
    ),
  detail: AgentDetail.optional().describe('only from `rein top --json`'),
})
export const PsInput = z.object({ all: flag })
export const PsOutput = z.array(AgentOutput)
export const WatchInput = PsInput.extend({ detail: flag })

export const WatchLine = z.object({ agents: PsOutput })

export const DownInput = Target
export const RestartInput = Target.extend({ fresh: flag.describe('in a fresh conversation') })
export const ResumeInput = TargetOrSelf.extend({
  env: z
    .record(z.string(), z.string())
    .optional()
    .describe('the caller’s environment: the agents run in it; left out: each in that of its last launch'),
})
export const ResumeOutput = z.array(
  z.object({
    handle: z.string(),
    project: z.string(),
    state: AgentState,
    error: z.string().nullable().describe('why it could not be brought back'),
  }),
)
export const PauseInput = Target.extend({ now: flag.describe('interrupts the turn') })
export const UnpauseInput = Target
export const AnswerInput = Target.extend({
  answer: z.string().min(1).optional().describe('without one nothing is answered: only what is asked is told'),
  question: z
    .string()
    .optional()
    .describe('the id of the question it is for, or of a held one; refused if that is not asked any more'),
})
export const InterruptInput = Target
export const AttachInput = Target
export const AttachOutput = z.object({
  command: z.array(z.string()).nullable().describe('the command that shows the terminal of a `tmux` agent'),
  keeper: z
    .object({ socket: z.string(), agent: z.string().describe('its id there') })
    .nullable()
    .describe('where the terminal of a `pty` agent is; `rein attach` shows it'),
})
export const ScreenInput = Target.extend({ lines: z.coerce.number<number>().int().min(1).max(200).default(60) })
export const ScreenLine = z.object({ text: z.string().describe('the last lines of its terminal, without colours') })
export const ContextInput = TargetOrSelf
export const ContextOutput = z.object({
  handle: z.string(),
  project: z.string(),
  conversation: z.string().nullable(),
  model: z.string().nullable().describe('null before the first reply'),
  tokens: z.number().nullable().describe('in the context now: input, cached and output tokens of the newest reply'),
  window: z.number().nullable().describe('tokens that fit into the context; null if that is not known'),
  percent: z.number().nullable().describe('of the window'),
  at: time('when the newest reply was written').nullable(),
})
export const LogsInput = TargetOrSelf.extend({
  lines: z.coerce.number<number>().int().min(0).max(10_000).default(50),
  follow: flag,
})

export type UpRequest = z.input<typeof UpInput>
export type AgentView = z.infer<typeof AgentOutput>
export type AgentDetail = z.infer<typeof AgentDetail>
export type Resumed = z.infer<typeof ResumeOutput>[number]
export type Attach = z.infer<typeof AttachOutput>
export type ContextView = z.infer<typeof ContextOutput>

/** Starting agents, looking at them, answering and ending them. */
export const agentRoutes = {
  up: route({
    method: 'POST',
    path: '/v1/agents',
    input: UpInput,
    output: AgentOutput,
    scope: 'control',
    limitMs: 120_000,
    commands: ['rein up', 'rein here'],
    help: 'Starts an agent.',
  }),
  ps: route({
    method: 'GET',
    path: '/v1/agents',
    input: PsInput,
    output: PsOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein ps'],
    help: 'Lists the agents.',
  }),
  watch: route({
    method: 'GET',
    path: '/v1/agents/watch',
    input: WatchInput,
    output: WatchLine,
    stream: true,
    scope: 'read',
    help: 'All agents now, and again whenever something changed.',
  }),
  down: route({
    method: 'POST',
    path: '/v1/agents/down',
    input: DownInput,
    output: AgentOutput,
    scope: 'control',
    limitMs: 60_000,
    commands: ['rein down'],
    help: 'Ends an agent.',
  }),
  restart: route({
    method: 'POST',
    path: '/v1/agents/restart',
    input: RestartInput,
    output: AgentOutput,
    scope: 'control',
    limitMs: 120_000,
    commands: ['rein restart'],
    help: 'Starts the same agent again; `fresh` begins a conversation of its own.',
  }),
  resume: route({
    method: 'POST',
    path: '/v1/agents/resume',
    input: ResumeInput,
    output: ResumeOutput,
    scope: 'control',
    limitMs: 600_000,
    commands: ['rein up --all'],
    help: 'Brings back the agent that is named, or those that ran and do not any more: of a `project`, else all.',
  }),
  pause: route({
    method: 'POST',
    path: '/v1/agents/pause',
    input: PauseInput,
    output: AgentOutput,
    scope: 'control',
    commands: ['rein pause'],
    help: 'Lets an agent begin no new turn; `now` interrupts the one it is in.',
  }),
  unpause: route({
    method: 'POST',
    path: '/v1/agents/unpause',
    input: UnpauseInput,
    output: AgentOutput,
    scope: 'control',
    commands: ['rein resume'],
    help: 'Lets a paused agent go on.',
  }),
  answer: route({
    method: 'POST',
    path: '/v1/agents/answer',
    input: AnswerInput,
    output: AgentOutput,
    scope: 'answer',
    // A dialog that loses keys is answered key by key.
    limitMs: 120_000,
    commands: ['rein answer'],
    help: 'Answers what an agent asks; without an answer, only tells what it asks.',
  }),
  interrupt: route({
    method: 'POST',
    path: '/v1/agents/interrupt',
    input: InterruptInput,
    output: AgentOutput,
    scope: 'control',
    commands: ['rein interrupt'],
    help: 'Cuts off the turn of an agent.',
  }),
  attach: route({
    method: 'GET',
    path: '/v1/agents/attach',
    input: AttachInput,
    output: AttachOutput,
    scope: 'control',
    commands: ['rein attach'],
    help: 'Tells where the terminal of an agent is.',
  }),
  screen: route({
    method: 'GET',
    path: '/v1/agents/screen',
    input: ScreenInput,
    output: ScreenLine,
    stream: true,
    scope: 'read',
    help: 'What an agent shows in its terminal, and again whenever that changed. Without a terminal: nothing.',
  }),
  context: route({
    method: 'GET',
    path: '/v1/agents/context',
    input: ContextInput,
    output: ContextOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein session context'],
    help: 'Tells how full the context of an agent is.',
  }),
  logs: route({
    method: 'GET',
    path: '/v1/agents/logs',
    input: LogsInput,
    output: LogLine,
    stream: true,
    scope: 'read',
    agentMay: true,
    help: 'The turns of an agent as the log has them, and as they come.',
  }),
} satisfies Routes
