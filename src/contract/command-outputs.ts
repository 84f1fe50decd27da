import { CompletionsOutput, ConfigItem, ConfigOutput, DemoOutput, PathsOutput, ServiceOutput } from './outputs/local.ts'
import { RepairOutput } from './outputs/repair.ts'
import { ruleToolOutputs } from './outputs/rule-tools.ts'
import { trustOutputs } from './outputs/trust.ts'
import { AgentOutput, AttachOutput, ContextOutput, PsOutput, ResumeOutput } from './routes/agents.ts'
import { bundleOutputs } from './routes/bundles.ts'
import {
  AdapterOutput,
  AdaptersOutput,
  ChannelOutput,
  ChannelsOutput,
  DeadOutput,
  SendOutput,
  TokenOutput,
} from './routes/channels.ts'
import { DoctorOutput, RebuildOutput, StatusOutput, StopOutput } from './routes/daemon.ts'
import { DeployOutput } from './routes/deployments.ts'
import { InboxOutput, ReadOutput, ReceiptOutput, TellOutput } from './routes/directives.ts'
import { leaseOutputs } from './routes/leases.ts'
import { loopOutputs } from './routes/loops.ts'
import { memoryOutputs } from './routes/memory.ts'
import { noteOutputs } from './routes/notes.ts'
import { replayOutputs } from './routes/replay.ts'
import { runOutputs } from './routes/run.ts'
import { sessionOutputs } from './routes/sessions.ts'
import { storyOutputs } from './routes/story.ts'
import { taskOutputs } from './routes/tasks.ts'
import { teamOutputs } from './routes/team.ts'

/** What each command prints with `--json`: the documented contract. */
export const commandOutputs = {
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
  ...runOutputs,
  ...teamOutputs,
  ...taskOutputs,
  ...storyOutputs,
  ...leaseOutputs,
  ...sessionOutputs,
  ...loopOutputs,
  ...bundleOutputs,
  ...replayOutputs,
  ...memoryOutputs,
  ...noteOutputs,
  ...ruleToolOutputs,
  ...trustOutputs,
} as const

/** What some commands print with `--json` line by line: one JSON value each, as it happens. */
export const commandStreams = {
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
