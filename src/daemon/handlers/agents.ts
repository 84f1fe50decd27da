import { existsSync } from 'node:fs'
import type { z } from 'zod'
import { sessionOf } from '../../agents/hosts/tmux/host.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import { type Agent, type LaunchRequest, hasTerminal, isAlive, openQuestion } from '../../contract/agent.ts'
import type {
  AgentView,
  AnswerInput,
  Attach,
  AttachInput,
  DownInput,
  InterruptInput,
  LogsInput,
  PauseInput,
  PsInput,
  RestartInput,
  Resumed,
  ResumeInput,
  UnpauseInput,
  UpInput,
} from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import { reservedHandles } from '../../contract/handle.ts'
import type { Actor } from '../../contract/identity.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Driver } from '../../drivers/contract.ts'
import { findDriver } from '../../drivers/registry.ts'
import { readBetween } from '../../base/log/store.ts'
import { firstPrompt } from '../../features/team/first-prompt.ts'
import { parseAnswer } from '../answers.ts'
import { keeperSocket, tmuxSocket } from '../../agents/hosts/hosts.ts'
import { findCli } from '../../agents/launching.ts'
import { isEndedRun, runEnded } from '../../agents/owners.ts'
import type { Services } from '../services.ts'
import { refuseUntrusted, trustDirectory } from '../../agents/untrusted.ts'
import { agentView } from '../views.ts'

export const ps = (services: Services, { all }: z.infer<typeof PsInput>): AgentView[] =>
  chosenAgents(services.supervisor, all).map((agent) => agentView(services, agent))

/** Those that run or should, or all. */
export const chosenAgents = ({ agents }: Supervisor, all: boolean): Agent[] =>
  agents.filter(({ state }) => all || isAlive(state) || state === 'crashed' || state === 'looping')

export const up = async (services: Services, input: z.infer<typeof UpInput>): Promise<AgentView> =>
  agentView(services, await launch(services, input))

/** `onMade`: what has to be so before the agent does anything. */
export const launch = async (
  services: Services,
  input: z.infer<typeof UpInput>,
  onMade?: (agent: Agent) => Promise<void>,
): Promise<Agent> => {
  const { request } = input
  if (!existsSync(request.cwd)) throw new ReinError('not_found', `There is no directory ${request.cwd}.`)
  refuseReserved(input.handle)
  refuseConflicts(request)
  const driver = findDriver(input.driver)
  if (!driver.hosts.includes(input.host)) {
    throw new ReinError(
      'unsupported_option',
      `${driver.title} has no host "${input.host}".`,
      `Possible: ${driver.hosts.join(', ')}.`,
    )
  }
  const ready = services.sessions.prepare(request.cwd)
  const env = { ...input.env, ...request.env }
  // Before anything is made: a CLI that is not there is an error, not an agent.
  const installed = await findCli(services, driver, input.host, env)
  refuseUnasked(driver, installed.version, input)
  if (input.trust === true) await trustDirectory(services, driver, request.cwd, env)
  await refuseUntrusted(services, driver, { request, host: input.host, env })
  refuseUnknown(services, driver, input, env)
  const project = await services.projects.of(request.cwd)
  const known = services.supervisor.agents.find((one) => one.project === project && one.handle === input.handle)
  if (known !== undefined) refuseMoving(services, known)
  if (known !== undefined) services.channels.checkLaunch(known, { ...request, env })
  // One that was killed together with its run could not end its inbox.
  if (known !== undefined && isEndedRun(known)) services.inbox.end(known.id, runEnded)
  await ready
  return services.supervisor.up({
    handle: input.handle,
    project,
    driver,
    host: input.host,
    request: { ...request, prompt: promptFor(services, project, input) },
    env,
    installed,
    onMade,
  })
}

/** Where a hook cannot make the CLI ask, every such call would be refused. */
const refuseUnasked = (driver: Driver, version: string, { request, host }: z.infer<typeof UpInput>): void => {
  if (request.pauseOn === undefined || driver.capabilities(version, host).ask) return
  const reason = driver.reasons(version, host).ask ?? `${driver.title} cannot be made to ask.`
  throw new ReinError('unsupported_option', `--pause-on does not work here (host ${host}). ${reason}`)
}

/** A conversation that its CLI does not have would be an agent that ends at once. */
const refuseUnknown = (
  { supervisor }: Services,
  { title, transcript }: Driver,
  { request, host }: z.infer<typeof UpInput>,
  env: Record<string, string>,
): void => {
  const name = request.resume ?? request.fork
  if (name === undefined || (transcript.isKnown?.(name, request.cwd, env, host) ?? true)) return
  // Before its first prompt a CLI has written nothing of it.
  if (supervisor.agents.some(({ conversation, state }) => conversation === name && isAlive(state))) return
  throw new ReinError('not_found', `${title} has no conversation "${name}".`, 'See which there are: rein session list')
}

const refuseMoving = ({ sessions }: Services, { id, handle }: Pick<Agent, 'id' | 'handle'>): void => {
  if (sessions.isMoving(id))
    throw new ReinError('refused', `${handle} is on its way to another turn.`, 'Wait until it is there.')
}

const refuseReserved = (handle: string): void => {
  if (!reservedHandles.includes(handle)) return
  throw new ReinError('invalid_handle', `In a room @${handle} is not an agent.`, 'Choose another handle.')
}

/** In a team an agent that nobody gave a task is told where it is; not in a conversation that is there already. */
const promptFor = (
  { rooms, settings }: Services,
  project: string,
  { handle, request }: z.infer<typeof UpInput>,
): string | undefined => {
  const { prompt, resume: resumed, fork, continue: goesOn } = request
  if (prompt !== undefined) return prompt || undefined
  const known = rooms.all(project)
  const isNew = resumed === undefined && fork === undefined && !goesOn
  return isNew && known.length > 0
    ? (settings['team.first_prompt'] ?? firstPrompt(handle, known)) || undefined
    : undefined
}

const refuseConflicts = ({ session, resume, fork, continue: goesOn }: LaunchRequest): void => {
  const given = [session, resume, fork, goesOn || undefined].filter((one) => one !== undefined)
  if (given.length > 1) throw new ReinError('usage', 'Give only one of --session, --resume, --fork and --continue.')
}

export const down = async (services: Services, input: z.infer<typeof DownInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  const stopped = await services.supervisor.down(agent.id, services.settings['agents.stop_timeout_s'] * 1000)
  return agentView(services, stopped)
}

export const restart = async (services: Services, input: z.infer<typeof RestartInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  refuseMoving(services, agent)
  const how = { isFresh: input.fresh, isFreed: !services.owners.isPresent(agent.id) }
  return agentView(services, await services.supervisor.restart(agent.id, how))
}

const isDown = ({ state, host }: Agent): boolean => (state === 'crashed' || state === 'looping') && host !== 'outside'

/** Those that ran and do not run any more: all, or the one that is named. One that fails does not keep the others down. */
export const resume = async (services: Services, input: z.infer<typeof ResumeInput>): Promise<Resumed[]> => {
  const named =
    input.target === undefined ? null : await services.finder.named({ target: input.target, cwd: input.cwd })
  const wanted = named === null ? services.supervisor.agents.filter(isDown) : [named]
  const results: Resumed[] = []
  for (const agent of wanted) results.push(await resumeOne(services, agent, input.env))
  return results
}

export const resumeOne = async (
  services: Services,
  { id, handle, project }: Agent,
  env: Record<string, string>,
): Promise<Resumed> => {
  try {
    refuseMoving(services, { id, handle })
    return { handle, project, state: (await services.supervisor.resume(id, env)).state, error: null }
  } catch (cause) {
    const state = services.supervisor.get(id)?.state ?? 'crashed'
    return { handle, project, state, error: cause instanceof Error ? cause.message : String(cause) }
  }
}

export const pause = async (services: Services, input: z.infer<typeof PauseInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  return agentView(services, await services.supervisor.pause(agent.id, input.now))
}

export const unpause = async (services: Services, input: z.infer<typeof UnpauseInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  return agentView(services, await services.supervisor.unpause(agent.id))
}

export const answer = async (services: Services, input: z.infer<typeof AnswerInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  if (input.question !== undefined && input.question !== openQuestion(agent)?.id)
    throw new ReinError('nothing_to_answer', `${agent.handle} no longer asks that.`, 'See what it asks now: rein ps')
  if (input.answer === undefined) return agentView(services, agent)
  return agentView(services, await services.supervisor.answer(agent.id, parseAnswer(input.answer)))
}

export const interrupt = async (services: Services, input: z.infer<typeof InterruptInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  return agentView(services, await services.supervisor.interrupt(agent.id))
}

export const attach = async (services: Services, input: z.infer<typeof AttachInput>): Promise<Attach> => {
  const { id, handle, host, state } = await services.finder.named(input)
  if (!isAlive(state)) throw new ReinError('not_running', `${handle} is not running (${state}).`)
  if (!hasTerminal(host))
    throw new ReinError(
      'refused',
      `${handle} has no terminal (host ${host}).`,
      `See what it does: rein logs ${handle} --follow`,
    )
  if (host === 'pty') return { command: null, keeper: { socket: keeperSocket(services.paths), agent: id } }
  const command = ['tmux', '-S', tmuxSocket(services.paths), 'attach-session', '-t', `=${sessionOf(id)}`]
  return { command, keeper: null }
}

/** The newest turns of an agent, then those that come. */
export async function* logs(
  services: Services,
  actor: Actor,
  input: z.infer<typeof LogsInput>,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  const agent = await services.finder.required(actor, input)
  const { last } = services.log.bounds('turns')
  const newest = logged.flatMap((topic) => services.log.readNewest(topic, agent.id, input.lines))
  const shown = newest.toSorted((a, b) => a.seq - b.seq).slice(-input.lines)
  yield* shown
  if (!input.follow) return
  let position = Math.max(last, shown.at(-1)?.seq ?? 0)
  for await (const _ of services.log.changes(logged, signal)) {
    const news = logged.flatMap((topic) => readBetween(services.reader, topic, agent.id, [position + 1, endless]))
    yield* news.toSorted((a, b) => a.seq - b.seq)
    position = Math.max(position, ...news.map(({ seq }) => seq))
  }
}

/** What an agent did, what was done about it when it went in circles, and what rules said to it. */
const logged = ['turns', 'loops', 'rules'] as const
const endless = Number.MAX_SAFE_INTEGER
