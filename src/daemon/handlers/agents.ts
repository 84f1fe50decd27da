import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { v4 as uuid } from 'uuid'
import type { z } from 'zod'
import { deployAssets } from '../../agents/assets.ts'
import { sessionOf } from '../../agents/hosts/tmux/host.ts'
import { projectOf } from '../../agents/project.ts'
import type { Agent, HostKind, LaunchRequest } from '../../contract/agent.ts'
import { isAlive } from '../../contract/agent.ts'
import type * as api from '../../contract/api.ts'
import type { AgentView, Attach } from '../../contract/api-types.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Answer } from '../../contract/host.ts'
import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Driver, Installed, LaunchContext } from '../../drivers/contract.ts'
import { detect } from '../../drivers/detect.ts'
import { findDriver } from '../../drivers/registry.ts'
import { isAtLeast } from '../../drivers/version.ts'
import { agentToken } from '../endpoint.ts'
import { tmuxSocket } from '../hosts.ts'
import { agentEnv, waitersDir } from '../agent-env.ts'
import type { Services } from '../services.ts'
import { agentView } from '../views.ts'

export const ps = ({ supervisor, reader }: Services, { all }: z.infer<typeof api.PsInput>): AgentView[] =>
  supervisor.agents
    .filter((agent) => all || isAlive(agent.state) || agent.state === 'crashed')
    .map((agent) => agentView(reader, agent))

export const up = async (services: Services, input: z.infer<typeof api.UpInput>): Promise<AgentView> => {
  const { request } = input
  if (!existsSync(request.cwd)) throw new ReinError('not_found', `There is no directory ${request.cwd}.`)
  refuseConflicts(request)
  const driver = findDriver(input.driver)
  if (!driver.hosts.includes(input.host)) {
    throw new ReinError(
      'unsupported_option',
      `${driver.title} has no host "${input.host}".`,
      `Possible: ${driver.hosts.join(', ')}.`,
    )
  }
  const env = { ...input.env, ...request.env }
  const installed = await find(services, driver, input.host, env)
  const project = await projectOf(request.cwd, services.now())
  const context = launchContext(services, driver, input.host, installed, env)
  const agent = await services.supervisor.up({
    handle: input.handle,
    project,
    driver,
    host: input.host,
    request,
    context,
  })
  return agentView(services.reader, agent)
}

const refuseConflicts = ({ session, resume, fork, continue: goesOn }: LaunchRequest): void => {
  const given = [session, resume, fork, goesOn || undefined].filter((one) => one !== undefined)
  if (given.length > 1) throw new ReinError('usage', 'Give only one of --session, --resume, --fork and --continue.')
}

const find = async (
  services: Services,
  driver: Driver,
  host: HostKind,
  env: Record<string, string>,
): Promise<Installed> => {
  const installed = await detect(driver, env, configuredPath(services, driver))
  if (installed === null) {
    throw new ReinError(
      'driver_missing',
      `${driver.title} was not found.`,
      `Install it, or say where it is: rein config set ${driver.name}.path PATH`,
    )
  }
  // Without hooks a terminal can still be typed to, with care; a stream could not tell what arrived.
  if (host === 'tmux' || isAtLeast(installed.version, driver.minVersion)) return installed
  throw new ReinError(
    'version_too_old',
    `${driver.title} ${installed.version} is too old; ${driver.minVersion} is needed.`,
    `Upgrade it (it is at ${installed.path}), or name another: rein config set ${driver.name}.path PATH`,
  )
}

/** What the user said about where this CLI is. */
export const configuredPath = ({ settings }: Services, { name }: Driver): string | null =>
  settings[`${name}.path` as 'claude.path'] ?? null

export const launchContext = (
  services: Services,
  driver: Driver,
  host: HostKind,
  installed: Installed,
  env: Record<string, string>,
) => {
  const { paths, endpoint, settings } = services
  const transport = { kind: settings['hooks.transport'], url: `http://127.0.0.1:${endpoint.port}` }
  const [programs, skills] = ['../bin', '../skills'].map((dir) => join(import.meta.dirname, dir)) as [string, string]
  const mcp = `${transport.url}/mcp`
  const files = driver.assets({ version: installed.version, host, programs, skills, transport, mcp })
  const assets = deployAssets(paths.plugins, `${driver.name}-${installed.version}`, files)
  return (agent: string): LaunchContext => ({
    installed,
    host,
    assets,
    mcp,
    private: join(paths.state, 'agents', agent, 'home'),
    env: agentEnv(env, {
      agent,
      token: agentToken(endpoint.secret, agent),
      paths,
      deadlineMs: settings['hooks.deadline_ms'],
      waiters: waitersDir(paths, agent),
    }),
    newConversation: uuid(),
  })
}

/** The agent a request names, seen from the directory it was made in. */
export const target = async (services: Services, input: { target: string; cwd: string }): Promise<Agent> => {
  const project = await projectOf(input.cwd, services.now()).catch(() => null)
  return services.supervisor.resolve(input.target, project)
}

/** An agent that names nobody means itself; null for a person who names nobody. */
export const targetOrSelf = async (
  services: Services,
  actor: Actor,
  { target: named, cwd }: { target?: string | undefined; cwd: string },
): Promise<Agent | null> => {
  if (named !== undefined) return target(services, { target: named, cwd })
  return actor.kind === 'agent' ? services.supervisor.get(actor.id) : null
}

/** The agent that is named, else the one that asks. */
export const agentOrSelf = async (
  services: Services,
  actor: Actor,
  input: { target?: string | undefined; cwd: string },
): Promise<Agent> => {
  const agent = await targetOrSelf(services, actor, input)
  if (agent === null) throw new ReinError('usage', 'Which agent? Its handle is missing.', 'List them: rein ps')
  return agent
}

export const down = async (services: Services, input: z.infer<typeof api.DownInput>): Promise<AgentView> => {
  const agent = await target(services, input)
  const stopped = await services.supervisor.down(agent.id, services.settings['agents.stop_timeout_s'] * 1000)
  return agentView(services.reader, stopped)
}

export const answer = async (services: Services, input: z.infer<typeof api.AnswerInput>): Promise<AgentView> => {
  const agent = await target(services, input)
  return agentView(services.reader, await services.supervisor.answer(agent.id, parseAnswer(input.answer)))
}

const parseAnswer = (text: string): Answer => {
  if (text === 'allow') return { kind: 'allow' }
  return text === 'deny' ? { kind: 'deny', message: null } : { kind: 'text', text }
}

export const interrupt = async (services: Services, input: z.infer<typeof api.InterruptInput>): Promise<AgentView> => {
  const agent = await target(services, input)
  return agentView(services.reader, await services.supervisor.interrupt(agent.id))
}

export const attach = async (services: Services, input: z.infer<typeof api.AttachInput>): Promise<Attach> => {
  const { id, handle, host, state } = await target(services, input)
  if (!isAlive(state)) throw new ReinError('not_running', `${handle} is not running (${state}).`)
  if (host !== 'tmux')
    throw new ReinError(
      'refused',
      `${handle} has no terminal (host ${host}).`,
      `See what it does: rein logs ${handle} --follow`,
    )
  return { command: ['tmux', '-S', tmuxSocket(services.paths), 'attach-session', '-t', `=${sessionOf(id)}`] }
}

/** The newest turns of an agent, then those that come. */
export async function* logs(
  services: Services,
  actor: Actor,
  input: z.infer<typeof api.LogsInput>,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  const agent = await agentOrSelf(services, actor, input)
  const { last } = services.log.bounds('turns')
  yield* services.log.readNewest('turns', agent.id, input.lines)
  if (!input.follow) return
  for await (const record of services.log.tail('turns', last, signal)) if (record.agent === agent.id) yield record
}
