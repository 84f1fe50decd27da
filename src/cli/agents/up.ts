import path from 'node:path'
import { launchEnv } from '../../client/agent-env.ts'
import type { Client } from '../../client/client.ts'
import type { PauseKind } from '../../contract/agent.ts'
import type { AgentView, UpRequest } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName, handlePattern, projectName } from '../../contract/handle.ts'
import { shorten } from '../format.ts'
import { agentLine, placeOf } from './text.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { givenPolicy } from './given-policy.ts'
import { namedHost, usualHost } from './host.ts'
import { suggestNext } from './next-steps.ts'
import { reportNotReady } from './not-ready.ts'
import { noteBrokenRules } from '../rules/rules-here.ts'
import { loadSettings } from '../settings.ts'
import { readTextInput } from '../text-input.ts'

export interface UpFlags {
  driver?: string
  host?: string
  cwd?: string
  prompt?: string
  system?: string
  model?: string
  permissionMode?: string
  autoApprove?: boolean
  noRestart?: boolean
  policy?: string[]
  pauseOn?: PauseKind[]
  session?: string
  continue?: boolean
  resume?: string
  fork?: string
  output?: string
  env?: string[]
  ephemeral?: boolean
  trust?: boolean
}

interface UpAllFlags {
  all?: boolean
  waitForDaemon?: boolean
}

export const run = async (
  context: CliContext,
  { all, waitForDaemon, ...flags }: UpFlags & UpAllFlags & JsonFlag,
  handle?: string,
): Promise<void> => {
  const { out } = context
  if (all) {
    const { json, ...others } = flags
    if (handle !== undefined || Object.values(others).some((value) => value !== undefined))
      throw new ReinError('usage', '--all brings agents back as they were: it takes no handle and no other flag.')
    return (await import('./bring-back.ts')).bringBackAll(context, { json, waitForDaemon })
  }
  if (waitForDaemon) throw new ReinError('usage', '--wait-for-daemon goes with --all.')
  if (handle === undefined)
    throw new ReinError('usage', 'An agent needs a name.', "rein up worker-1 --prompt 'Fix the failing test'")
  const client = context.connect()
  const request = handle.includes('/')
    ? await toKnownRequest(context, client, flags, handle)
    : await toRequest(context, flags, handle)
  await noteBrokenRules(context, request.request.cwd)
  const agent = await showWaiting(context, request.driver, client.up(request))
  if (flags.json) out.document(agent)
  else out.line(agentLine(agent, placeOf(context)))
  if (!reportNotReady(context, agent)) suggestNext(context, agent)
  const doubt = await fallbackOf(agent)
  if (doubt !== null) out.note(`rein: ${doubt}`)
}

/** A CLI may take seconds to come up: a person sees that something goes on. */
const showWaiting = async <T>({ out, now }: CliContext, driver: string, work: Promise<T>): Promise<T> => {
  const since = now()
  const show = (): void =>
    out.status(`Starting ${driver} … waiting for its first sign (${Math.round((now() - since) / 1000)} s)`)
  show()
  const timer = setInterval(show, 1000)
  try {
    return await work
  } finally {
    clearInterval(timer)
    out.status('')
  }
}

/** `project/handle` is an agent that exists: it goes on where it was, as what it was. */
const toKnownRequest = async (
  context: CliContext,
  client: Client,
  flags: UpFlags,
  name: string,
): Promise<UpRequest> => {
  const agents = await client.ps({ all: true })
  const alike = agents.filter(({ project, handle }) => fullName({ project: projectName(project), handle }) === name)
  // Tables show a project without its digits: that is enough where only one has this name.
  const known = agents.find((one) => fullName(one) === name) ?? (alike.length === 1 ? alike[0] : undefined)
  if (known === undefined)
    throw new ReinError('unknown_agent', `There is no agent "${name}".`, 'List them: rein ps --all')
  const host = flags.host ?? (known.host === 'outside' ? undefined : known.host)
  const place = { cwd: flags.cwd ?? known.cwd, driver: flags.driver ?? known.driver }
  return toRequest(context, { ...flags, ...place, ...(host === undefined ? {} : { host }) }, known.handle)
}

/** What works less well with this version of its CLI than with others, and where that could meet a person's hands. */
const fallbackOf = async ({ handle, driver, version, host }: AgentView): Promise<string | null> => {
  if (host !== 'tmux' && host !== 'pty') return null
  const { findDriver } = await import('../../drivers/registry.ts')
  const known = findDriver(driver)
  if (known.capabilities(version, host).wakeIdle) return null
  return `${handle} can only be woken by typing into its terminal. ${known.reasons(version, host).wakeIdle ?? ''}`.trim()
}

/** An empty name is mostly a variable that is not set. */
const givenName = (name: string | undefined, flag: string): string | undefined => {
  if (name === undefined || name.trim() !== '') return name
  throw new ReinError('usage', `${flag} is empty.`, `Name one, or leave ${flag} out.`)
}

export const toRequest = async (context: CliContext, flags: UpFlags, handle: string): Promise<UpRequest> => {
  if (!handlePattern.test(handle))
    throw new ReinError(
      'invalid_handle',
      `Invalid handle "${shorten(handle, 80)}".`,
      'A handle has up to 64 of a-z, 0-9, - and _, and begins with a letter or digit, like worker-1.',
    )
  const { session, resume, fork, continue: isNewest } = flags
  if ([session !== undefined, resume !== undefined, fork !== undefined, isNewest].filter(Boolean).length > 1)
    throw new ReinError(
      'usage',
      'Give only one of --session, --resume, --fork and --continue.',
      'Each of them chooses the conversation.',
    )
  const cwd = path.resolve(context.cwd(), flags.cwd ?? '')
  const settings = await loadSettings(context, cwd)
  return {
    handle,
    driver: givenName(flags.driver, '--driver') ?? settings['agents.driver'].value,
    host: flags.host === undefined ? usualHost(settings['agents.host'].value, context.env) : namedHost(flags.host),
    env: launchEnv(context.env),
    trust: flags.trust || undefined,
    request: {
      cwd,
      // Empty: none, and not the one of a team either.
      prompt: flags.prompt ? await readTextInput(flags.prompt, context.stdin) : flags.prompt,
      system: flags.system,
      model: givenName(flags.model, '--model') ?? settings['agents.model'].value ?? undefined,
      permissionMode:
        givenName(flags.permissionMode, '--permission-mode') ?? settings['agents.permission_mode'].value ?? undefined,
      session: givenName(flags.session, '--session'),
      continue: flags.continue || undefined,
      autoApprove: flags.autoApprove || undefined,
      restart: flags.noRestart ? false : undefined,
      policy: givenPolicy(context, flags, settings['agents.policy'].value),
      pauseOn: flags.pauseOn,
      resume: givenName(flags.resume, '--resume'),
      fork: givenName(flags.fork, '--fork'),
      export: flags.output === undefined ? undefined : path.resolve(context.cwd(), flags.output),
      isEphemeral: flags.ephemeral || undefined,
      env: Object.fromEntries(
        (flags.env ?? []).map((text) => {
          const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(text) ?? []
          if (name !== undefined && value !== undefined) return [name, value]
          throw new ReinError('usage', `--env takes NAME=VALUE, not "${text}".`, 'Like this: --env DEBUG=1')
        }),
      ),
      args: context.driverArgs,
    },
  }
}
