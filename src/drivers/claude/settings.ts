import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { parseObject } from '../../base/util/json.ts'
import type { LaunchContext } from '../contract.ts'
import { orNull } from '../files.ts'
import { steering } from '../guard.ts'
import { asObject, type Json } from '../json.ts'
import { launchMode } from './mode.ts'
import { configDirectory } from './transcript.ts'

/** The name under which Claude Code can switch off a plugin that `--plugin-dir` gave it. */
const ownPlugin = 'rein@inline'

/** Claude Code also takes these for hooks from a project's settings; the last one is put before each command. */
const fixed = [...steering, 'CLAUDE_CODE_SHELL_PREFIX'] as const

/** What makes its process this agent. The token is not among them: other users can read the arguments of a process. */
const identity = [
  'REIN_AGENT',
  'REIN_GUARDS',
  'REIN_HANDLE',
  'REIN_HOOK_DEADLINE_MS',
  'REIN_PROJECT',
  'REIN_SOCKET',
  'REIN_SPOOL',
  'REIN_WAITERS',
] as const

/** Settings of the run, which outrank the project's and the user's; what the user gave by this flag is kept among them. */
export const settingsFor = (request: LaunchRequest, context: LaunchContext): string[] => {
  // The last of several counts, as in the CLI.
  const values = request.args.flatMap((arg, at) => {
    if (arg.startsWith(`${flag}=`)) return [arg.slice(flag.length + 1)]
    return arg === flag ? [request.args[at + 1] ?? ''] : []
  })
  const last = values.at(-1)
  // JSON itself, or a file of it.
  const text = last?.trim().startsWith('{') === false ? readSettingsFile(resolve(request.cwd, last)) : last
  const given = text === undefined ? {} : parseObject(text)
  if (given === null)
    throw new ReinError('unsupported_option', `--settings is neither a JSON object nor a file with one: ${last}`)
  const disabled = given['disabledMcpjsonServers']
  // As they are without the project: what the user gave or configured, else what it was started with, else nothing.
  const started = { ...context.env, ...request.env }
  const users = asObject(parseObject(readSettingsFile(join(configDirectory(started), 'settings.json')))?.['env'])
  const theirs: Json = { ...started, ...users, ...asObject(given['env']) }
  return [
    flag,
    JSON.stringify({
      ...given,
      // The agent has its own server: one of that name in the project's list is neither asked about nor run.
      disabledMcpjsonServers: [...(Array.isArray(disabled) ? disabled : []), 'rein'],
      // Without hooks no rule and no guard would bind it.
      disableAllHooks: false,
      enabledPlugins: { ...asObject(given['enabledPlugins']), [ownPlugin]: true },
      env: {
        ...asObject(given['env']),
        ...Object.fromEntries(fixed.map((name) => [name, theirs[name] ?? ''])),
        ...Object.fromEntries(identity.map((name) => [name, context.env[name] ?? ''])),
      },
      ...(launchMode(request) === 'bypassPermissions' ? { skipDangerousModePermissionPrompt: true } : {}),
    }),
  ]
}

const flag = '--settings'

export const withoutSettings = (args: readonly string[]): string[] =>
  args.filter((arg, at) => arg !== flag && !arg.startsWith(`${flag}=`) && args[at - 1] !== flag)

/** Empty where the file cannot be read. */
export const readSettingsFile = (file: string): string => orNull(() => readFileSync(file, 'utf8')) ?? ''
