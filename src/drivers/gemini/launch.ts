import { readFileSync, realpathSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { LaunchPlan, PrivateFile } from '../../contract/host.ts'
import type { LaunchContext } from '../contract.ts'
import { steering } from '../guard.ts'
import { joinedOption, uuid } from '../launch-options.ts'
import { privateHome } from './private-home.ts'
import { isResumable, locate, newest } from './transcript.ts'

/** Environments that lead to homes of the CLI: the agent's own comes first. */
type Homes = readonly NodeJS.ProcessEnv[]

const modes = ['default', 'auto_edit', 'yolo', 'plan']

export const launch = (request: LaunchRequest, context: LaunchContext): LaunchPlan => {
  refuse(request, context)
  const isHeadless = context.host === 'stream'
  const env = { ...context.env, ...request.env }
  const homes = [{ GEMINI_CLI_HOME: context.private }, env]
  const older = olderOf(request, homes)
  // Headless, the CLI calls no hook before a tool. No rule could forbid what it does not ask about, so it asks and Rein answers.
  const usual = isHeadless ? 'default' : undefined
  const mode = request.autoApprove === true ? (usual ?? 'yolo') : (request.permissionMode ?? usual)
  // The CLI names a conversation itself when it is headless, and a fork always.
  const chosen = isHeadless ? null : (request.session ?? context.newConversation)
  return {
    command: context.installed.path,
    args: [
      ...(isHeadless ? ['--acp'] : which(request, context, older, homes)),
      ...joinedOption('--model', request.model),
      ...joinedOption('--approval-mode', mode),
      ...request.args,
      ...(isHeadless || request.prompt === undefined ? [] : [`--prompt-interactive=${request.prompt}`]),
    ],
    env: {
      // The CLI takes unset variables from a file of the project, for its hooks too.
      ...Object.fromEntries(steering.filter((name) => env[name] === undefined).map((name) => [name, ''])),
      ...env,
      // Hooks run only in a trusted folder; and the CLI starts a second process, which outlives a signal to the first.
      GEMINI_CLI_HOME: context.private,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GEMINI_CLI_NO_RELAUNCH: 'true',
    },
    cwd: request.cwd,
    conversation: request.fork === undefined ? (older ?? chosen) : null,
    firstPrompt: isHeadless ? (request.prompt ?? null) : null,
    files: [...privateHome(request, { ...context, env }), ...takenUp(older, request.cwd, homes, context)],
    ...(isHeadless
      ? {
          opening: {
            from: older === null ? { kind: 'new' } : { kind: 'resume', conversation: older },
            model: null,
            mode: null,
          },
        }
      : {}),
  }
}

/** The conversation to go on with; one in which nothing was said yet is simply begun again. */
const olderOf = (request: LaunchRequest, homes: Homes): string | null => {
  if (request.continue === true) return newest(request.cwd, homes)
  if (request.resume === undefined) return null
  return isResumable(transcriptOf(request.resume, request.cwd, homes)) ? request.resume : null
}

const which = (request: LaunchRequest, context: LaunchContext, older: string | null, homes: Homes): string[] => {
  if (request.fork !== undefined) return ['--session-file', transcriptOf(request.fork, request.cwd, homes)]
  return older === null ? ['--session-id', request.session ?? context.newConversation] : ['--resume', older]
}

const transcriptOf = (conversation: string, cwd: string, homes: Homes): string => {
  const [found] = homes.map((env) => locate(conversation, cwd, env)).filter((path) => path !== null)
  if (found !== undefined) return found
  throw new ReinError(
    'not_found',
    `Neither this agent nor its user has a Gemini conversation ${conversation} in ${cwd}.`,
    'Conversations of other agents are in the homes of those.',
  )
}

/**
 * Taking up a conversation, the CLI begins a file that is named after this minute, and empties the one that has that name:
 * the conversation gets another. One of the user's goes on in a copy, in the agent's own home.
 */
const takenUp = (older: string | null, cwd: string, homes: Homes, context: LaunchContext): PrivateFile[] => {
  if (older === null) return []
  const from = transcriptOf(older, cwd, homes)
  const project = join(context.private, '.gemini', 'tmp', basename(dirname(dirname(from))))
  const to = join(project, 'chats', `session-resumed-${older.slice(0, 8)}.jsonl`)
  if (from.startsWith(context.private)) {
    renameSync(from, to)
    return []
  }
  return [
    { path: join(project, '.project_root'), content: realpathSync(cwd) },
    { path: to, content: readFileSync(from, 'utf8') },
  ]
}

const refuse = ({ session, fork, permissionMode: mode, budgetUsd }: LaunchRequest, { host }: LaunchContext): void => {
  const isHeadless = host === 'stream'
  if (mode !== undefined && !modes.includes(mode)) unsupported(`no mode "${mode}"`, `Known: ${modes.join(', ')}.`)
  if (isHeadless && (mode === 'yolo' || mode === 'auto_edit'))
    unsupported(
      `no mode "${mode}" headless: no rule could forbid what it does not ask about`,
      'Let Rein approve: --auto-approve, or --policy edit=approve',
    )
  if (budgetUsd !== undefined) unsupported('no word for what it costs', 'Limit the turns instead: --max-turns N')
  if (session !== undefined && isHeadless) unsupported('no choice of a session id headless', 'Leave out --session.')
  if (session !== undefined && !uuid.test(session)) unsupported(`only a UUID as session id, not "${session}"`)
  if (fork !== undefined && isHeadless)
    unsupported('no fork of a conversation headless', 'Start it in a terminal: --host tmux')
}

const unsupported = (what: string, hint?: string): never => {
  throw new ReinError('unsupported_option', `Gemini has ${what}.`, hint)
}
