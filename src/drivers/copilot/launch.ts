import { join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { LaunchPlan, PrivateFile } from '../../contract/host.ts'
import type { LaunchContext } from '../contract.ts'
import { bridgeEnv } from '../bridge.ts'
import { freeTools } from '../free-tools.ts'
import { option, uuid } from '../launch-options.ts'
import { programBehind } from './program.ts'

const modes = ['interactive', 'plan', 'autopilot']

/** An agent may always answer Rein and its team. Not by a shell pattern: `rein ack` as a prefix would let `rein ack x; anything` run. */
const ownTools = freeTools.map((tool) => `rein(${tool})`)

export const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  refuse(request, context)
  const isHeadless = context.host === 'stream'
  const files = instructions(request, context)
  const older = request.resume ?? request.fork
  const chosen = request.session ?? context.newConversation
  // Rein's own server runs beside the user's.
  const [command = '', ...args] = context.mcp
  const rein = { type: 'local', command, args, env: bridgeEnv((name) => `\${${name}}`), tools: ['*'] }
  const given = request.env[directories] ?? context.env[directories]
  return {
    command: programBehind(context.installed.path),
    args: [
      ...(isHeadless ? ['--acp'] : []),
      '--plugin-dir',
      context.assets,
      '--additional-mcp-config',
      JSON.stringify({ mcpServers: { rein } }),
      ...ownTools.map((tool) => `--allow-tool=${tool}`),
      ...option('--model', request.model),
      ...(request.autoApprove === true ? ['--allow-all'] : []),
      ...(isHeadless
        ? []
        : [
            ...(request.continue === true ? ['--continue'] : []),
            ...(request.continue !== true && older !== undefined ? [`--resume=${older}`] : []),
            ...(request.continue !== true && older === undefined ? ['--session-id', chosen] : []),
            ...option('--mode', request.permissionMode),
            ...option('-i', request.fork === undefined ? request.prompt : '/fork'),
          ]),
      ...request.args,
    ],
    env: {
      ...context.env,
      ...request.env,
      ...(files.length > 0 ? { [directories]: given ? `${given},${context.private}` : context.private } : {}),
      // To let everything run is to trust the folder: with this value the CLI does not ask.
      ...(request.autoApprove === true ? { COPILOT_ALLOW_ALL: 'true' } : {}),
    },
    cwd: request.cwd,
    // The CLI names a conversation itself when it is headless or forks, and picks the newest itself to continue.
    conversation:
      request.continue === true || request.fork !== undefined
        ? null
        : (request.resume ?? request.session ?? (isHeadless ? null : context.newConversation)),
    firstPrompt: isHeadless ? (request.prompt ?? null) : null,
    files,
    ...(isHeadless
      ? {
          opening: {
            from: request.resume === undefined ? { kind: 'new' } : { kind: 'resume', conversation: request.resume },
            model: null,
            mode: request.permissionMode ?? null,
          },
        }
      : {}),
  }
}

const directories = 'COPILOT_CUSTOM_INSTRUCTIONS_DIRS'

/** There is no option for this, but a variable that names more directories with instructions. */
const instructions = ({ system }: LaunchRequest, context: LaunchContext): PrivateFile[] => {
  if (system === undefined) return []
  const path = join(context.private, '.github', 'instructions', 'rein.instructions.md')
  return [{ path, content: `---\napplyTo: "**"\n---\n${system}\n` }]
}

const refuse = (request: LaunchRequest, { host }: LaunchContext): void => {
  const isHeadless = host === 'stream'
  const { session, permissionMode: mode } = request
  if (mode !== undefined && !modes.includes(mode)) unsupported(`no mode "${mode}"`, `Known: ${modes.join(', ')}.`)
  if (session !== undefined && isHeadless) unsupported('no choice of a session id headless', 'Leave out --session.')
  if (session !== undefined && !uuid.test(session)) unsupported(`only a UUID as session id, not "${session}"`)
  if (request.budgetUsd !== undefined)
    unsupported('no word for what it costs', 'Limit the turns instead: --max-turns N')
  if (request.continue === true && isHeadless)
    unsupported('no way to continue the newest conversation headless', 'Name the conversation: --resume ID')
  if (request.fork === undefined) return
  if (isHeadless) unsupported('no fork of a conversation headless', 'Start it in a terminal: --host tmux')
  if (request.prompt !== undefined) unsupported('no prompt together with a fork', 'Send it once the agent is there.')
}

const unsupported = (what: string, hint?: string): never => {
  throw new ReinError('unsupported_option', `Copilot has ${what}.`, hint)
}
