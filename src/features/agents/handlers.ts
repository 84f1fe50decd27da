import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { z } from 'zod'
import { sessionOf } from '../../agents/hosts/tmux/host.ts'
import { attachCommand } from '../../agents/hosts/tmux/layout.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import { type Agent, hasTerminal, isAlive } from '../../contract/agent.ts'
import type {
  AgentView,
  AllowAlwaysInput,
  AnswerInput,
  AskAgainInput,
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
import { wayOf } from '../../contract/person.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { missingDirectory } from '../../contract/system-error.ts'
import type { Driver } from '../../drivers/contract.ts'
import { findDriver } from '../../drivers/registry.ts'
import { readBetween } from '../../base/log/store.ts'
import { firstPrompt } from '../team/first-prompt.ts'
import { parseAnswer } from '../../agents/questions/parse-answer.ts'
import { keeperSocket, tmuxSocket } from '../../agents/hosts/hosts.ts'
import { notRunning } from '../../agents/launch/requests.ts'
import { findCli } from '../../agents/launch/launch-context.ts'
import { isEndedRun, runEnded } from '../../agents/identity/owners.ts'
import type { AgentParts } from './parts.ts'
import { refuseUntrusted, trustDirectory } from '../../agents/launch/untrusted.ts'
import { agentView } from './view.ts'

export const ps = (parts: AgentParts, { all }: z.infer<typeof PsInput>): AgentView[] =>
  chosenAgents(parts.supervisor, all).map((agent) => agentView(parts, agent))

/** Those that run or should, or all. */
export const chosenAgents = ({ agents }: Supervisor, all: boolean): Agent[] =>
  agents.filter(({ state }) => all || isAlive(state) || state === 'crashed' || state === 'looping')

export const up = async (parts: AgentParts, actor: Actor, input: z.infer<typeof UpInput>): Promise<AgentView> =>
  agentView(parts, await launch(parts, actor, input))

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true

/** `onMade`: what has to be so before the agent does anything. */
export const launch = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof UpInput>,
  onMade?: (agent: Agent) => Promise<void>,
): Promise<Agent> => {
  const { request } = input
  if (!isDirectory(request.cwd))
    throw new ReinError('not_found', `There is no directory ${request.cwd}.`, 'Check the path, or leave --cwd out.')
  // It is written when the agent ends: then nobody is there to be told.
  if (request.export !== undefined && !isDirectory(dirname(request.export))) {
    const { message, hint } = missingDirectory(request.export)
    throw new ReinError('not_found', message, hint)
  }
  if (reservedHandles.includes(input.handle))
    throw new ReinError('invalid_handle', `In a room @${input.handle} is not an agent.`, 'Choose another handle.')
  const sources = [request.session, request.resume, request.fork, request.continue || undefined]
  if (sources.filter((one) => one !== undefined).length > 1)
    throw new ReinError('usage', 'Give only one of --session, --resume, --fork and --continue.')
  const driver = findDriver(input.driver)
  if (!driver.hosts.includes(input.host)) {
    throw new ReinError(
      'unsupported_option',
      `${driver.title} has no host "${input.host}".`,
      `Possible: ${driver.hosts.join(', ')}.`,
    )
  }
  const ready = parts.others.sessions.prepare(request.cwd)
  // No name is kept for its project yet: it may be that nothing can be started here.
  const before = agentIn(parts, await parts.projects.seen(request.cwd), input.handle)
  const env = { ...(input.env ?? parts.environment.of(before?.id)), ...request.env }
  // Before anything is made: a CLI that is not there is an error, not an agent.
  const installed = await findCli(parts, driver, input.host, env)
  refuseUnasked(driver, installed.version, input)
  if (input.trust === true) await trustDirectory(parts, driver, request.cwd, env)
  await refuseUntrusted(parts, driver, { request, host: input.host, env })
  refuseUnknown(parts, driver, input, env)
  // Looked up only now: meanwhile another launch may have brought the same agent back to life.
  const project = await parts.projects.of(request.cwd)
  const known = agentIn(parts, project, input.handle)
  if (known !== undefined) refuseMoving(parts, known)
  if (known !== undefined) parts.others.channels.channels.checkLaunch(known, { ...request, env })
  // One that was killed together with its run could not end its inbox.
  if (known !== undefined && isEndedRun(known)) parts.others.inbox.inbox.end(known.id, runEnded)
  await ready
  return parts.supervisor.up({
    handle: input.handle,
    project,
    driver,
    host: input.host,
    request: { ...request, prompt: promptFor(parts, project, input) },
    env,
    actor,
    installed,
    onMade,
  })
}

/** The agent that has this name in a project already. */
const agentIn = ({ supervisor }: AgentParts, project: string | null, handle: string): Agent | undefined =>
  supervisor.agents.find((one) => one.project === project && one.handle === handle)

/** Where a hook cannot make the CLI ask, every such call would be refused. */
const refuseUnasked = (driver: Driver, version: string, { request, host }: z.infer<typeof UpInput>): void => {
  if (request.pauseOn === undefined || driver.capabilities(version, host).ask) return
  const reason = driver.reasons(version, host).ask ?? `${driver.title} cannot be made to ask.`
  throw new ReinError('unsupported_option', `--pause-on does not work here (host ${host}). ${reason}`)
}

/** A conversation that its CLI does not have would be an agent that ends at once. */
const refuseUnknown = (
  { supervisor }: AgentParts,
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

const refuseMoving = ({ others }: AgentParts, { id, handle }: Pick<Agent, 'id' | 'handle'>): void => {
  if (others.sessions.isMoving(id))
    throw new ReinError('refused', `${handle} is on its way to another turn.`, 'Wait until it is there.')
}

/** In a team an agent that nobody gave a task is told where it is; not in a conversation that is there already. */
const promptFor = (
  { others, settings }: AgentParts,
  project: string,
  { handle, request }: z.infer<typeof UpInput>,
): string | undefined => {
  const { prompt, resume: resumed, fork, continue: goesOn } = request
  if (prompt !== undefined) return prompt || undefined
  const known = others.team.rooms.all(project)
  const isNew = resumed === undefined && fork === undefined && !goesOn
  return isNew && known.length > 0
    ? (settings['team.first_prompt'] ?? firstPrompt(handle, known)) || undefined
    : undefined
}

export const down = async (parts: AgentParts, actor: Actor, input: z.infer<typeof DownInput>): Promise<AgentView> => {
  const one = parts.supervisor.agent((await parts.finder.named(input)).id)
  await one.stop(parts.settings['agents.stop_timeout_s'] * 1000, actor)
  return agentView(parts, one.agent)
}

export const restart = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof RestartInput>,
): Promise<AgentView> => {
  const agent = await parts.finder.named(input)
  refuseMoving(parts, agent)
  const how = { isFresh: input.fresh, isFreed: !parts.owners.isPresent(agent.id), actor }
  return agentView(parts, await parts.supervisor.restart(agent.id, how))
}

/** Those that ran and do not run any more: all, those of a project, or the one that is named. One that fails does not keep the others down. */
export const resume = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof ResumeInput>,
): Promise<Resumed[]> => {
  const { finder, supervisor } = parts
  const named = await finder.namedOrSelf(actor, input)
  const wanted = named === null ? brokenAgents(supervisor, finder.namedProject(input)) : [named]
  const results: Resumed[] = []
  for (const agent of wanted) results.push(await resumeOne(parts, actor, agent, input.env))
  return results
}

const brokenAgents = ({ agents }: Supervisor, project: string | null): Agent[] =>
  agents.filter(
    ({ state, host, project: own }) =>
      (state === 'crashed' || state === 'looping') && host !== 'outside' && (project === null || own === project),
  )

export const resumeOne = async (
  parts: AgentParts,
  actor: Actor,
  { id, handle, project }: Agent,
  env: Record<string, string> | undefined,
): Promise<Resumed> => {
  try {
    refuseMoving(parts, { id, handle })
    return {
      handle,
      project,
      state: (await parts.supervisor.resume(id, env ?? parts.environment.of(id), actor)).state,
      error: null,
    }
  } catch (cause) {
    const state = parts.supervisor.get(id)?.state ?? 'crashed'
    return { handle, project, state, error: cause instanceof Error ? cause.message : String(cause) }
  }
}

export const pause = async (parts: AgentParts, actor: Actor, input: z.infer<typeof PauseInput>): Promise<AgentView> => {
  const one = parts.supervisor.agent((await parts.finder.named(input)).id)
  await one.pause(input.now, actor)
  return agentView(parts, one.agent)
}

export const unpause = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof UnpauseInput>,
): Promise<AgentView> => {
  const one = parts.supervisor.agent((await parts.finder.named(input)).id)
  await one.unpause(actor)
  return agentView(parts, one.agent)
}

/** A CLI that was told to exit takes a moment to do so. */
const endLimitMs = 10_000

export const answer = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof AnswerInput>,
): Promise<AgentView> => {
  refuseUnseen(actor, input)
  const agent = await parts.finder.named(input)
  const one = parts.supervisor.agent(agent.id)
  const asked = one.questions.find(input.question)
  if (input.answer === undefined) return agentView(parts, agent)
  const given = parseAnswer(input.answer, asked?.kind ?? 'question')
  const answering = { actor, by: 'person' as const, why: wayOf(actor, 'rein answer'), question: input.question }
  await one.questions.answer(given, answering)
  if (one.questions.ender !== null) await one.leaves(one.agent.state, endLimitMs)
  return agentView(parts, one.agent)
}

export const allowAlways = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof AllowAlwaysInput>,
): Promise<AgentView> => {
  const one = parts.supervisor.agent((await parts.finder.named(input)).id)
  await one.questions.allowAlways(input.question, { actor, by: 'person', why: wayOf(actor, 'rein answer --always') })
  return agentView(parts, one.agent)
}

export const askAgain = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof AskAgainInput>,
): Promise<AgentView> => {
  const one = parts.supervisor.agent((await parts.finder.named(input)).id)
  await one.questions.askAgain(input.call, actor)
  return agentView(parts, one.agent)
}

/** What a device shows may be old by now: it says what was seen there. */
const refuseUnseen = (actor: Actor, { answer: given, question }: z.infer<typeof AnswerInput>): void => {
  if (actor.kind !== 'user' || actor.via === undefined || given === undefined || question !== undefined) return
  throw new ReinError('usage', 'A device names the question that it answers.', 'Give its id as question.')
}

const interruptedWithinMs = 2000

export const interrupt = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof InterruptInput>,
): Promise<AgentView> => {
  const one = parts.supervisor.agent((await parts.finder.named(input)).id)
  await one.interrupt(actor)
  // The answer says how it is by then; a CLI that has no turn to interrupt yet goes on.
  await one.leaves('working', interruptedWithinMs)
  return agentView(parts, one.agent)
}

/** Where the terminal of an agent is; of a task, all of them beside each other. A name that is both means the task. */
export const attach = async (parts: AgentParts, input: z.infer<typeof AttachInput>): Promise<Attach> => {
  const layout = await parts.others.tasks.layout(input)
  if (layout !== null) return { command: layout, keeper: null }
  const agent = await parts.finder.named(input)
  const { id, handle, host, state } = agent
  if (!isAlive(state)) throw notRunning(agent)
  if (!hasTerminal(host))
    throw new ReinError(
      'refused',
      `${handle} has no terminal (host ${host}).`,
      `See what it does: rein logs ${handle} --follow`,
    )
  if (host === 'pty') return { command: null, keeper: { socket: keeperSocket(parts.paths), agent: id } }
  return { command: attachCommand(tmuxSocket(parts.paths), sessionOf(id), handle), keeper: null }
}

/** The newest turns of an agent, then those that come. */
export async function* logs(
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof LogsInput>,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  const agent = await parts.finder.required(actor, input)
  const { last } = parts.log.bounds('turns')
  const newest = logged.flatMap((topic) => parts.log.readNewest(topic, agent.id, input.lines))
  const shown = newest.toSorted((a, b) => a.seq - b.seq).slice(-input.lines)
  yield* shown
  if (!input.follow) return
  let position = Math.max(last, shown.at(-1)?.seq ?? 0)
  for await (const _ of parts.log.changes(logged, signal)) {
    const news = logged.flatMap((topic) => readBetween(parts.reader, topic, agent.id, [position + 1, endless]))
    yield* news.toSorted((a, b) => a.seq - b.seq)
    position = Math.max(position, ...news.map(({ seq }) => seq))
  }
}

/** What an agent did, what was done about it when it went in circles, and what rules said to it. */
const logged = ['turns', 'loops', 'rules'] as const
const endless = Number.MAX_SAFE_INTEGER
