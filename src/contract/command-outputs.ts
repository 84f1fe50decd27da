import type { z } from 'zod'
import { SendOutput } from './outputs/channels.ts'
import { installationOutputs } from './outputs/installation.ts'
import {
  CompletionsOutput,
  ConfigItem,
  ConfigOutput,
  DemoOutput,
  DocsOutput,
  DoctorReport,
  PathsOutput,
  ServiceOutput,
  StatusOutput,
} from './outputs/local.ts'
import { NotifyOutput, NotifyTestOutput } from './outputs/notify.ts'
import { memoryOutputs } from './outputs/memory.ts'
import { RepairOutput } from './outputs/repair.ts'
import { replayOutputs } from './outputs/replay.ts'
import { ruleToolOutputs } from './outputs/rule-tools.ts'
import { runOutputs } from './outputs/run.ts'
import { trustOutputs } from './outputs/trust.ts'
import { routes } from './routes/all.ts'
import type { Routes } from './routes/route.ts'

const printed = (cards: Routes): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.values(cards).flatMap(({ commands = [], output }) => commands.map((command) => [command, output])),
  )

/** The JSON output of each command: the documented contract. */
export const commandOutputs: Record<string, z.ZodType> = {
  ...printed(routes),
  ...runOutputs,
  'rein down --all': routes.ps.output,
  'rein channel send': SendOutput,
  'rein ps --short': StatusOutput,
  'rein notify on': NotifyOutput,
  'rein notify off': NotifyOutput,
  'rein notify status': NotifyOutput,
  'rein notify test': NotifyTestOutput,
  ...replayOutputs,
  ...memoryOutputs,
  ...ruleToolOutputs,
  ...trustOutputs,
  ...installationOutputs,
  'rein daemon repair': RepairOutput,
  'rein service install': ServiceOutput,
  'rein service remove': ServiceOutput,
  'rein service status': ServiceOutput,
  'rein config paths': PathsOutput,
  'rein config list': ConfigOutput,
  'rein config get': ConfigItem,
  'rein config set': ConfigItem,
  'rein config unset': ConfigItem,
  'rein doctor': DoctorReport,
  'rein completions': CompletionsOutput,
  'rein memory shell init': CompletionsOutput,
  'rein demo': DemoOutput,
  'rein docs': DocsOutput,
}

/** The JSON output of commands that print one value a line, as it happens. */
export const commandStreams = {
  'rein logs': 'a record of the log, `type` `turn.…`: a prompt, an entry with its blocks, or the end of a turn',
  'rein run':
    'what happens, by its `kind`: `prompt`, `text`, `thinking`, `tool`, `tool_result`, `usage`, `model`, `state`, `ended`, `gap`, `other`, and `decision` for what the run does next ([rein run](run-scripts.md#json-lines)); at last the `summary`',
  'rein ps --watch': 'what `rein ps` prints, again whenever something changed',
  'rein top': 'what `rein ps --watch` prints, each agent with its `detail`',
  'rein receipt --follow': 'the receipt as `rein receipt` prints it, again at each step',
  'rein channel tail': 'a record of the log, `type` `message.…`: incoming and outgoing messages, and their results',
  'rein follow': 'a turn: `seq`, `ts`, `session`, `agent`, `project`, and `turn` with all its blocks; or a `gap`',
  'rein chat':
    '`rooms` as `rein chat list` prints them, and with a room in `posts` its new messages (at first the newest ones), again at each change',
  'rein chat export':
    'a message as in the `posts` of `rein chat read`; with `--output` one object with `file` and `posts`, how many there are',
  'rein mcp': 'a message of the Model Context Protocol, whether `--json` is given or not',
  'rein daemon logs': 'an entry of the log file as it is there: `time`, `level`, `msg` and the fields of its kind',
} as const
