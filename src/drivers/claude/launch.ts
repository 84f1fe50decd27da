import { join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { LaunchPlan } from '../../contract/host.ts'
import type { Installed, LaunchContext } from '../contract.ts'
import { bridgeEnv } from '../bridge.ts'
import { instructions } from '../deployed.ts'
import { freeTools } from '../free-tools.ts'
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

/** Rein's own server beside the user's, waited for at the start. */
const mcpConfig = ({ mcp: [command = '', ...args] }: LaunchContext): string[] => {
  const rein = { type: 'stdio', command, args, env: bridgeEnv((name) => `\${${name}}`), alwaysLoad: true }
  return ['--mcp-config', JSON.stringify({ mcpServers: { rein } })]
}

export const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  refuseConflicts(request, context)
  const isHeadless = context.host === 'stream'
  return {
    command: context.installed.path,
    args: [
      ...(isHeadless ? [...protocol, ...(request.live === true ? ['--include-partial-messages'] : [])] : []),
      '--plugin-dir',
      context.assets,
      '--allowedTools',
      ownTools.join(','),
      ...settingsFor(request, context),
      ...mcpConfig(context),
      ...choices(request, context),
      ...withoutSettings(request.args),
      ...(isHeadless || request.prompt === undefined ? [] : ['--', request.prompt]),
    ],
    env: { ...context.env, ...request.env },
    cwd: request.cwd,
    conversation: conversationOf(request, context),
    firstPrompt: isHeadless ? (request.prompt ?? null) : null,
    files: [systemFile(request, context)].filter((file) => file !== null),
  }
}

/** With nothing of Rein's but what stands in files of the user's. */
export const launchByHand = ({ path }: Installed, cwd: string, env: Record<string, string>): LaunchPlan => ({
  command: path,
  args: [...protocol],
  env,
  cwd,
  conversation: null,
  firstPrompt: null,
  files: [],
})

const choices = (request: LaunchRequest, context: LaunchContext): string[] => [
  ...which(request, context),
  ...option('--model', request.model),
  ...option('--permission-mode', launchMode(request)),
  ...option('--append-system-prompt-file', systemFile(request, context)?.path),
  // Checked by the CLI between its requests, so a turn ends before it costs much more.
  ...option('--max-budget-usd', request.budgetUsd?.toString()),
  ...option('--max-turns', request.maxTurns?.toString()),
]

/** Those of a plugin have its name before theirs. */
const skills = ({ findsSkills }: LaunchContext): string =>
  `Skills of Rein, for the tool Skill: ${skillNames.map((name) => (findsSkills ? name : `rein:${name}`)).join(', ')}.`

/** A turn that a waiter begins is told neither of skills nor of what a server says about itself; the system prompt always is. */
const systemOf = ({ system }: LaunchRequest, context: LaunchContext): string | undefined => {
  const isOnlyWoken = context.host !== 'stream' && wake(context.installed.version).kind === 'waiter'
  const parts = [...(isOnlyWoken ? [instructions, skills(context)] : []), ...(system === undefined ? [] : [system])]
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

/** Not as an argument, which every user of the machine can see. Claude Code refuses both: the user's own is the only one. */
const systemFile = (request: LaunchRequest, context: LaunchContext): { path: string; content: string } | null => {
  const isGiven = request.args.some((arg) => /^--append-system-prompt(-file)?(=|$)/.test(arg))
  const content = isGiven ? undefined : systemOf(request, context)
  return content === undefined ? null : { path: join(context.private, 'system.md'), content }
}

const which = (request: LaunchRequest, context: LaunchContext): string[] => {
  if (request.continue === true) return ['--continue']
  if (request.resume !== undefined) return ['--resume', request.resume]
  if (request.fork !== undefined)
    return ['--resume', request.fork, '--fork-session', '--session-id', context.newConversation]
  return ['--session-id', request.session ?? context.newConversation]
}

/** `--continue` picks the newest conversation itself: its id is known when it reports. */
const conversationOf = (request: LaunchRequest, context: LaunchContext): string | null =>
  request.continue === true ? null : (request.resume ?? request.session ?? context.newConversation)

const option = (flag: string, value: string | undefined): string[] => (value === undefined ? [] : [flag, value])

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const refuseConflicts = (request: LaunchRequest, { host }: LaunchContext): void => {
  refuseUnasked(request)
  if (request.budgetUsd !== undefined && host !== 'stream')
    throw new ReinError('unsupported_option', 'Claude Code keeps to a budget only without a terminal.')
  if (request.maxTurns !== undefined && host !== 'stream')
    throw new ReinError('unsupported_option', 'Claude Code keeps to a number of turns only without a terminal.')
  if (request.session !== undefined && !uuid.test(request.session)) {
    throw new ReinError('unsupported_option', `Claude Code takes a UUID as session id, not "${request.session}".`)
  }
}
