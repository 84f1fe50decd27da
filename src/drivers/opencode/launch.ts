import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { LaunchPlan, Opening, PrivateFile } from '../../contract/host.ts'
import { parseObject } from '../../base/util/json.ts'
import { bridgeEnv } from '../bridge.ts'
import type { LaunchContext } from '../contract.ts'
import { asObject, type Json } from '../json.ts'
import { joinedOption } from '../launch-options.ts'
import { plugin } from './assets.ts'

export const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  refuse(request, context)
  const isHeadless = context.host === 'stream'
  const plan = {
    command: context.installed.path,
    args: [
      ...(isHeadless
        ? ['acp']
        : [
            ...(request.continue === true ? ['--continue'] : []),
            ...joinedOption('--session', request.resume ?? request.fork),
            ...(request.fork === undefined ? [] : ['--fork']),
            ...joinedOption('--model', request.model),
            ...joinedOption('--agent', request.permissionMode),
            ...joinedOption('--prompt', takesUp(request) ? undefined : request.prompt),
          ]),
      ...request.args,
    ],
    env: {
      // opencode waits for an npm install before it loads any plugin: offline, with retries, for more than a minute.
      npm_config_fetch_retries: '0',
      ...(request.autoApprove === true ? { REIN_AUTO_APPROVE: '1' } : {}),
      ...(!isHeadless && takesUp(request) && request.prompt !== undefined ? { REIN_FIRST_PROMPT: request.prompt } : {}),
      ...context.env,
      ...request.env,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config(request, context)),
    },
    cwd: request.cwd,
    conversation: request.resume ?? null,
    firstPrompt: isHeadless ? (request.prompt ?? null) : null,
    files: instructions(request, context),
  }
  if (!isHeadless) return plan
  const others = { model: request.model ?? null, mode: request.permissionMode ?? null }
  const { resume, fork } = request
  if (resume !== undefined) return { ...plan, opening: { from: { kind: 'resume', conversation: resume }, ...others } }
  const from: Opening['from'] = fork === undefined ? { kind: 'new' } : { kind: 'fork', conversation: fork }
  return { ...plan, opening: { from, ...others } }
}

/** Then opencode drops the prompt, and the plugin gives it. */
const takesUp = ({ continue: newest, resume, fork }: LaunchRequest): boolean =>
  newest === true || resume !== undefined || fork !== undefined

/** Merged by opencode over what the user configured. */
const config = (request: LaunchRequest, context: LaunchContext): Json => {
  const text = request.env['OPENCODE_CONFIG_CONTENT']
  const given = text === undefined ? {} : parseObject(text)
  if (given === null) throw new ReinError('unsupported_option', 'OPENCODE_CONFIG_CONTENT is not a JSON object.')
  const rein = {
    type: 'local',
    command: context.mcp,
    enabled: true,
    environment: bridgeEnv((name) => `{env:${name}}`),
  }
  return {
    ...given,
    plugin: [...listIn(given.plugin), pathToFileURL(join(context.assets, plugin)).href],
    instructions: [...listIn(given.instructions), ...instructions(request, context).map(({ path }) => path)],
    mcp: { ...asObject(given.mcp), rein },
  }
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** There is no flag for it: a file of instructions goes into the system prompt. */
const instructions = ({ system }: LaunchRequest, context: LaunchContext): PrivateFile[] =>
  system === undefined ? [] : [{ path: join(context.private, 'instructions.md'), content: `${system}\n` }]

const refuse = (request: LaunchRequest, { host }: LaunchContext): void => {
  if (request.session !== undefined)
    throw new ReinError(
      'unsupported_option',
      'opencode chooses the ids of its sessions itself.',
      'Leave --session out.',
    )
  if (request.export !== undefined)
    throw new ReinError(
      'unsupported_option',
      'opencode keeps all its sessions in one database.',
      'Use its own: opencode session list, then opencode export with one of these ids.',
    )
  if (request.continue === true && host === 'stream')
    throw new ReinError(
      'unsupported_option',
      'opencode cannot continue its last session over ACP.',
      'Name it: opencode session list, then --resume with one of these ids.',
    )
}
