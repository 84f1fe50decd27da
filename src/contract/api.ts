import { z } from 'zod'
import { AgentState, Health, HostKind, LaunchRequest, Question } from './agent.ts'
import { AdapterEntry, ChannelName, Outgoing, OutgoingState, Signature } from './channel.ts'
import { DirectiveType, Priority, Receipt, ReceiptState } from './directive.ts'
import { Handle } from './identity.ts'
import { RepairOutput } from './repair-api.ts'
import { TurnUsage } from './turn.ts'
import { wakeWays } from './wake.ts'

/** Whom a command means: `handle` in the project of `cwd`, else a unique one; `project/handle` is exact. */
const Target = z.object({ target: z.string().min(1), cwd: z.string() })
/** In a query string every value is text. */
const flag = z
  .union([z.boolean(), z.enum(['true', 'false'])])
  .transform((value) => value === true || value === 'true')
  .default(false)
const time = (what: string) => z.number().describe(`${what}, milliseconds since 1970`)

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

export const UpInput = z.object({
  handle: Handle,
  driver: z.string(),
  host: HostKind,
  request: LaunchRequest,
  env: z.record(z.string(), z.string()).describe('the caller’s environment: the agent runs in it'),
  trust: z.boolean().optional().describe('whether what the directory makes the CLI run is trusted from now on'),
})

export const InboxCounts = z.object({
  queued: z.number().describe('waiting, held ones included'),
  offered: z.number(),
  placed: z.number(),
  seen: z.number(),
  acked: z.number(),
})

/** What an agent did last, by its own transcript. */
export const AgentDetail = z.object({
  last: z
    .object({ kind: z.enum(['prompt', 'text', 'tool']), text: z.string() })
    .nullable()
    .describe('what it was asked, said or ran last, on one line'),
  said: z.string().describe('the end of what it said last'),
  usage: TurnUsage.nullable().describe('tokens of its newest reply'),
  window: z.number().nullable().describe('tokens that fit into its context; null if that is not known'),
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
  cwd: z.string(),
  pid: z.number().nullable(),
  conversation: z.string().nullable(),
  question: Question.nullable().describe('what it is waiting for a person to decide'),
  inbox: InboxCounts,
  until: time('when this state is expected to end by itself: the next restart, the end of a usage limit').nullable(),
  isPaused: z.boolean().describe('no new turn is begun'),
  pauseReason: z.string().nullable().describe('why Rein has paused it; null if a person has'),
  crashes: z.number().describe('how many count for the next restart'),
  health: Health.describe('whether what Rein put into it still works'),
  weakened: z
    .array(z.string())
    .describe('what in its project steers or switches off Rein’s hooks: rules and guards may not hold'),
  wake: z
    .enum(wakeWays)
    .nullable()
    .describe(
      'how it is woken when it is idle; `keys_instead`: whoever listened is gone, so it is typed to; `none`: not before its next turn; null: it does not run',
    ),
  detail: AgentDetail.optional().describe('only from `rein top --json`'),
})
export const PsInput = z.object({ all: flag })
export const PsOutput = z.array(AgentOutput)
export const WatchInput = PsInput.extend({ detail: flag })

export const DownInput = Target
export const RestartInput = Target.extend({ fresh: flag.describe('in a fresh conversation') })
export const ResumeInput = Target.partial({ target: true }).extend({
  env: z.record(z.string(), z.string()).describe('the caller’s environment: the agents run in it'),
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
  question: z.string().optional().describe('the id of the question it is for; refused if another one is open by now'),
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
/** An agent that names nobody means itself. */
const TargetOrSelf = Target.partial({ target: true })
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
  lines: z.coerce.number().int().min(0).max(10_000).default(50),
  follow: flag,
})

export const TellInput = Target.extend({
  id: z
    .string()
    .regex(/^dir_[0-9a-f-]{36}$/)
    .optional()
    .describe('chosen by the client, so that a repeated request is one directive'),
  text: z.string(),
  type: DirectiveType.default('directive'),
  priority: Priority.default('normal'),
  from: z.string().min(1).max(64),
  expiresInMs: z.number().int().positive().nullable().default(null),
})

export const TellOutput = Receipt.extend({
  project: z.string(),
  delivery: z.string().describe('when and how this agent will get it'),
})

export const InboxInput = z.object({
  target: z.string().optional(),
  cwd: z.string(),
  all: flag,
})
export const InboxItem = z.object({
  id: z.string(),
  handle: z.string(),
  project: z.string(),
  state: ReceiptState,
  type: z.string(),
  priority: Priority,
  from: z.string(),
  at: time('when it was accepted'),
  expiresAt: time('when it expires').nullable(),
  length: z.number().describe('characters'),
  excerpt: z.string(),
})
export const InboxOutput = z.array(InboxItem)

export const ReceiptOutput = Receipt
export const FollowInput = z.object({ until: z.enum(['placed', 'seen', 'acked', 'closed']).default('closed') })
export const ReadInput = z.object({ part: z.number().int().positive().nullable().default(null) })
export const ReadOutput = z.object({
  id: z.string(),
  parts: z.array(z.number()).describe('which parts `text` holds'),
  partCount: z.number(),
  text: z.string(),
})
export const AckInput = z.object({ note: z.string().max(10_000).optional() })
export const TailInput = z.object({
  after: z.coerce.number().int().min(0).optional().describe('left out: from the oldest that is still there'),
  follow: flag,
})

export const ChannelOutput = z.object({
  name: z.string(),
  isHuman: z.boolean().describe('gets the questions of its agents, and may answer them'),
  isKept: z.boolean().describe('what is sent out is kept until a program has taken it over'),
  senders: z.array(z.string()).nullable().describe('who may write; null: whoever gets in'),
  route: z
    .object({
      handle: z.string().nullable().describe('the agent that gets it; null: a room does'),
      room: z.string().nullable().describe('the room that gets it; null: an agent does'),
      project: z.string(),
      allowsBypass: z.boolean(),
    })
    .nullable()
    .describe('where what comes in goes; null: nowhere, or to the default'),
  signature: Signature.nullable().describe('how webhooks prove who sent them'),
  ways: z.array(z.enum(['in-fifo', 'out-fifo'])).describe('FIFOs that are there now'),
  held: z.number().describe('messages that wait for a place to go'),
  reason: z.string().nullable().describe('why they wait'),
  pending: z.number().describe('messages that wait to leave'),
  dead: z.number().describe('messages that could not be delivered'),
  refused: z.number().describe('lines of its FIFO that became no message since the daemon started'),
  refusal: z.string().nullable().describe('why the last of them did not'),
})
export const ChannelsOutput = z.object({
  channels: z.array(ChannelOutput),
  unused: z
    .array(z.object({ file: z.string(), reason: z.string(), refused: z.number() }))
    .describe('files that have the name of a FIFO and cannot be used, and how many lines were refused there'),
  fallback: ChannelOutput.shape.route.describe('where what has no route of its own goes'),
})
export const CreateChannelInput = z.object({
  name: ChannelName,
  isHuman: z.boolean().optional(),
  isKept: z.boolean().optional(),
  senders: z.array(z.string().min(1).max(200)).nullable().optional(),
})
/** Nobody: no route. */
export const RouteInput = z.object({
  /** An agent, or a room as `room:NAME` or `room:PROJECT/NAME`. */
  target: z.string().min(1).nullable(),
  cwd: z.string(),
  allowsBypass: z.boolean().default(false),
})
export const ReceiveInput = z.object({
  content: z.string(),
  ts: z.number().optional().describe('when the sender says it was written; milliseconds or seconds since 1970'),
  meta: z.record(z.string(), z.unknown()).optional(),
  sender: z.string().max(200).optional(),
  key: z.string().min(1).max(200).optional().describe('the same key again is the same message'),
})
export const ReceiveOutput = z.object({
  id: z.string(),
  state: z
    .enum(['routed', 'answered', 'held'])
    .describe('in an inbox or a room, taken as an answer to a question, or held'),
  agent: z.string().nullable().describe('handle of the agent that gets it'),
  room: z.string().nullable().describe('name of the room that it was posted in'),
  reason: z.string().nullable().describe('why it is held'),
})
export const SendOutInput = z.object({ text: z.string().min(1), replyTo: z.string().optional() })
export const SendOutOutput = z.object({
  id: z.string(),
  channel: z.string(),
  state: z.enum(['written', 'kept']).describe('written to a FIFO, or kept until a program has taken it over'),
})
/** What `rein channel send` has done. */
export const SendOutput = ReceiveOutput.extend({
  state: z
    .enum(['routed', 'answered', 'held', 'written', 'kept'])
    .describe('came in: in an inbox or a room, or held; went out: written to a FIFO or kept'),
})
export const TakeInput = z.object({
  limit: z.number().int().min(1).max(100).default(10),
  leaseMs: z.number().int().min(1_000).max(3_600_000).default(60_000),
  waitMs: z.number().int().min(0).max(25_000).default(20_000),
})
export const TakeOutput = z.array(Outgoing)
export const SettleInput = z.object({
  id: z.string(),
  error: z.string().max(2_000).optional().describe('left out: it was delivered'),
  retryInMs: z.number().int().min(0).max(86_400_000).nullable().optional().describe('null: it is given up'),
})
export const OutgoingOutput = Outgoing.extend({
  state: OutgoingState,
  attempts: z.number(),
  reason: z.string().nullable(),
})
export const DeadOutput = z.array(OutgoingOutput)
export const TokenInput = z.object({
  renew: z.boolean().default(false).describe('the old token is no longer valid'),
  signature: Signature.nullable().optional(),
  secret: z
    .string()
    .max(1_000)
    .refine((secret) => secret.trim().length >= 8, 'a secret has at least 8 characters')
    .optional()
    .describe('what webhooks are signed with; one is made if none is given'),
})
export const TokenOutput = z.object({
  name: z.string(),
  token: z.string(),
  url: z.string(),
  signature: Signature.nullable(),
  secret: z.string().nullable().describe('only when it was set just now'),
})
export const RunAdapterInput = AdapterEntry.extend({
  env: z.record(z.string(), z.string()).describe('the caller’s environment: the adapter runs in it'),
})
export const AdapterOutput = AdapterEntry.extend({
  state: z
    .enum(['starting', 'running', 'waiting', 'failed'])
    .describe(
      'starting: it is not at work yet; waiting: it ended and is started again; failed: its configuration is wrong',
    ),
  pid: z.number().nullable(),
  since: time('when it was started last'),
  restarts: z.number().describe('how often it was started again within an hour'),
  error: z.string().nullable().describe('what it said last'),
})
export const AdaptersOutput = z.array(AdapterOutput)
export const TurnsInput = z.object({
  after: z.coerce.number().int().min(0).optional().describe('left out: from now on'),
  target: z.string().optional(),
  cwd: z.string().optional(),
})

export const Check = z.object({
  name: z.string(),
  ok: z.boolean(),
  detail: z.string(),
  hint: z.string().optional(),
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
      minVersion: z.string(),
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

const callerEnv = z.record(z.string(), z.string()).describe('the caller’s environment: CLIs move their files by it')
export const SetupInput = z.object({
  clis: z.array(z.string()).default([]).describe('empty: all'),
  isGlobal: z.boolean().default(false).describe('for everything of this user, not for the project in `cwd`'),
  isShared: z.boolean().default(false).describe('into files that others get with the repository'),
  cwd: z.string(),
  env: callerEnv,
  dryRun: z.boolean().default(false),
})
export const UpdateInput = z.object({ env: callerEnv })
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
export const DemoOutput = z.array(ReceiptOutput)

/** What each command prints with `--json`: the documented contract. */
export const jsonOutputs = {
  'rein up': AgentOutput,
  'rein here': AgentOutput,
  'rein ps': PsOutput,
  'rein down': AgentOutput,
  'rein restart': AgentOutput,
  'rein resume': ResumeOutput,
  'rein pause': AgentOutput,
  'rein unpause': AgentOutput,
  'rein answer': AgentOutput,
  'rein interrupt': AgentOutput,
  'rein attach': AttachOutput,
  'rein context': ContextOutput,
  'rein tell': TellOutput,
  'rein inbox': InboxOutput,
  'rein inbox read': ReadOutput,
  'rein receipt': ReceiptOutput,
  'rein ack': ReceiptOutput,
  'rein cancel': ReceiptOutput,
  'rein channel list': ChannelsOutput,
  'rein channel create': ChannelOutput,
  'rein channel remove': ChannelsOutput,
  'rein channel route': ChannelOutput,
  'rein channel default': ChannelsOutput,
  'rein channel send': SendOutput,
  'rein channel dead': DeadOutput,
  'rein channel token': TokenOutput,
  'rein adapter run': AdapterOutput,
  'rein adapter list': AdaptersOutput,
  'rein adapter stop': AdaptersOutput,
  'rein daemon status': StatusOutput,
  'rein daemon start': StatusOutput,
  'rein daemon stop': StopOutput,
  'rein daemon rebuild': RebuildOutput,
  'rein daemon repair': RepairOutput,
  'rein doctor': DoctorOutput,
  'rein setup': DeployOutput,
  'rein cleanup': DeployOutput,
  'rein update': DeployOutput,
  'rein service install': ServiceOutput,
  'rein service remove': ServiceOutput,
  'rein service status': ServiceOutput,
  'rein paths': PathsOutput,
  'rein config list': ConfigOutput,
  'rein config get': ConfigItem,
  'rein config set': ConfigItem,
  'rein completions': CompletionsOutput,
  'rein shell init': CompletionsOutput,
  'rein demo': DemoOutput,
} as const

/** What some commands print with `--json` line by line: one JSON value each, as it happens. */
export const jsonStreams = {
  'rein logs': 'a record of the log, `type` `turn.…`: a prompt, an entry with its blocks, or the end of a turn',
  'rein run':
    'what happens, by its `kind`: `prompt`, `text`, `thinking`, `tool`, `tool_result`, `usage`, `model`, `state`, `ended`, `gap`, `other`, and `decision` for what the run does next ([rein run](run.md)); at last the `summary`',
  'rein ps --watch': 'what `rein ps` prints, again whenever something changed',
  'rein top': 'what `rein ps --watch` prints, each agent with its `detail`',
  'rein receipt --follow': 'the receipt as `rein receipt` prints it, again at each step',
  'rein channel tail': 'a record of the log, `type` `message.…`: what came in, what went out and what became of it',
  'rein follow': 'a turn: `seq`, `ts`, `session`, `agent`, `project`, and `turn` with all its blocks; or a `gap`',
  'rein chat':
    '`rooms` as `rein chat list` prints them, and with a room in `posts` what is new in it (at first its newest), again whenever something changed',
  'rein chat export':
    'a message as in the `posts` of `rein chat read`; with `--file` one object with `file` and `posts`, how many there are',
  'rein mcp': 'a message of the Model Context Protocol, whether `--json` is given or not',
  'rein daemon logs': 'an entry of the log file as it is there: `time`, `level`, `msg` and the fields of its kind',
} as const
