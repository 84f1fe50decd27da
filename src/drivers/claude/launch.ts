import { join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { LaunchPlan } from '../../contract/host.ts'
import type { Installed, LaunchContext } from '../contract.ts'
import { bridgeEnv } from '../bridge.ts'
import { instructions } from '../deployed.ts'
import { freeTools } from '../free-tools.ts'
import { option, uuid } from '../launch-options.ts'
import { skillNames } from '../skills.ts'
import { wake } from './capabilities.ts'
import { launchMode, refuseUnasked } from './mode.ts'
import { settingsFor, withoutSettings } from './settings.ts'

const protocol = [
  '--print',
  '--input-format',
  'stream-json',
  '--output-format',
  'stream-json',
  '--verbose',
  '--permission-prompt-tool',
  'stdio',
  '--replay-user-messages',
]

/** An agent may always answer Rein and its team. By a flag, which adds to what the user allows: of settings only the last count. */
const ownTools = ['Bash(rein ack:*)', 'Bash(rein inbox read:*)', ...freeTools.map((tool) => `mcp__rein__${tool}`)]

export const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  refuseUnasked(request)
  if (request.budgetUsd !== undefined && context.host !== 'stream')
    throw new ReinError('unsupported_option', 'Claude Code keeps to a budget only without a terminal.')
  if (request.maxTurns !== undefined && context.host !== 'stream')
    throw new ReinError('unsupported_option', 'Claude Code keeps to a number of turns only without a terminal.')
  if (request.session !== undefined && !uuid.test(request.session))
    throw new ReinError('unsupported_option', `Claude Code takes a UUID as session id, not "${request.session}".`)
  const isHeadless = context.host === 'stream'
  // Rein's own server runs beside the user's, and the CLI waits for it at the start.
  const [command = '', ...args] = context.mcp
  const rein = { type: 'stdio', command, args, env: bridgeEnv((name) => `\${${name}}`), alwaysLoad: true }
  return {
    command: context.installed.path,
    args: [
      ...(isHeadless ? [...protocol, ...(request.live === true ? ['--include-partial-messages'] : [])] : []),
      '--plugin-dir',
      context.assets,
      '--allowedTools',
      ownTools.join(','),
      ...settingsFor(request, context),
      '--mcp-config',
      JSON.stringify({ mcpServers: { rein } }),
      ...which(request, context),
      ...option('--model', request.model),
      ...option('--permission-mode', launchMode(request)),
      ...option('--append-system-prompt-file', systemFile(request, context)?.path),
      // Checked by the CLI between its requests, so a turn ends before it costs much more.
      ...option('--max-budget-usd', request.budgetUsd?.toString()),
      ...option('--max-turns', request.maxTurns?.toString()),
      ...withoutSettings(request.args),
      ...(isHeadless || request.prompt === undefined ? [] : ['--', request.prompt]),
    ],
    env: { ...context.env, ...request.env },
    cwd: request.cwd,
    // `--continue` picks the newest conversation itself: its id is known when it reports.
    conversation: request.continue === true ? null : (request.resume ?? request.session ?? context.newConversation),
    firstPrompt: isHeadless ? (request.prompt ?? null) : null,
    files: [systemFile(request, context)].filter((file) => file !== null),
  }
}

/** With nothing of Rein's but what is in the user's files. */
export const launchByHand = ({ path }: Installed, cwd: string, env: Record<string, string>): LaunchPlan => ({
  command: path,
  args: [...protocol],
  env,
  cwd,
  conversation: null,
  firstPrompt: null,
  files: [],
})

/** Not as an argument, which every user of the machine can see. Claude Code refuses both: the user's own is the only one. */
const systemFile = (request: LaunchRequest, context: LaunchContext): { path: string; content: string } | null => {
  const isGiven = request.args.some((arg) => /^--append-system-prompt(-file)?(=|$)/.test(arg))
  // In a turn that a waiter starts, the model sees neither skills nor what a server says about itself, only the system prompt.
  const isOnlyWoken = context.host !== 'stream' && wake(context.installed.version).kind === 'waiter'
  // Those of a plugin have its name before theirs.
  const parts = [
    ...(isOnlyWoken
      ? [
          instructions,
          `Skills of Rein, for the tool Skill: ${skillNames.map((name) => (context.findsSkills ? name : `rein:${name}`)).join(', ')}.`,
        ]
      : []),
    ...(request.system === undefined ? [] : [request.system]),
  ]
  if (isGiven || parts.length === 0) return null
  return { path: join(context.private, 'system.md'), content: parts.join('\n\n') }
}

const which = (request: LaunchRequest, context: LaunchContext): string[] => {
  if (request.continue === true) return ['--continue']
  if (request.resume !== undefined) return ['--resume', request.resume]
  if (request.fork !== undefined)
    return ['--resume', request.fork, '--fork-session', '--session-id', context.newConversation]
  return ['--session-id', request.session ?? context.newConversation]
}
