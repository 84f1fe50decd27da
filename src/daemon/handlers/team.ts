import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type {
  ControlInput,
  ControlsInput,
  ControlView,
  DecidedView,
  DecideInput,
  DecisionsInput,
  DecisionsView,
  DecisionView,
  WatchesInput,
  WatchesView,
} from '../../contract/routes/team.ts'
import type { NumberedDecision } from '../../contract/team.ts'
import { authorName } from '../../features/inbox/fence.ts'
import { redact } from '../../base/redact/redact.ts'
import type { Services } from '../services.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** An agent decides for itself what it watches, and for nobody else. */
const ownOrAny = async (
  services: Services,
  actor: Actor,
  input: { target?: string | undefined; cwd: string },
): Promise<Agent> => {
  const agent = await services.finder.required(actor, input)
  if (actor.kind === 'agent' && actor.id !== agent.id)
    throw new ReinError('wrong_agent', `What ${agent.handle} watches is not for ${actor.handle} to say.`)
  return agent
}

export const watches = async (
  services: Services,
  actor: Actor,
  input: Given<typeof WatchesInput>,
): Promise<WatchesView> => {
  const { set, add, drop } = input
  const isChange = set !== undefined || add.length > 0 || drop.length > 0
  const agent = isChange ? await ownOrAny(services, actor, input) : await services.finder.required(actor, input)
  if (isChange) await services.watches.change(agent, { set, add, drop }, actor)
  changed(services, agent, isChange)
  return watchesView(services, agent)
}

/** What it is told about now may be something else than before. */
const changed = ({ notices, delivery }: Services, { id }: Agent, isChange: boolean): void => {
  if (!isChange) return
  notices.onRead(id)
  notices.consider(id)
  delivery.consider(id)
}

const watchesView = ({ watches: all, rooms, team }: Services, agent: Agent): WatchesView => {
  const { subjects, except, intervalS } = all.get(agent.id)
  const watched = rooms.all(agent.project).filter(({ name }) => team.watchesRoom(agent, name))
  const { handle, project } = agent
  return { handle, project, subjects, except, intervalS, rooms: watched.map(({ name }) => name) }
}

export const control = async (
  services: Services,
  actor: Actor,
  input: Given<typeof ControlInput>,
): Promise<ControlView[]> => {
  const agent = await ownOrAny(services, actor, input)
  await services.watches.control(agent, redact(input.line).text, actor)
  changed(services, agent, true)
  return lines(services, agent).slice(-1)
}

export const controls = async (
  services: Services,
  actor: Actor,
  input: Given<typeof ControlsInput>,
): Promise<ControlView[]> => lines(services, await services.finder.required(actor, input))

const lines = (services: Services, { id }: Agent): ControlView[] =>
  services.watches.history(id).map(({ line, at, by, error }) => ({ line, at, by: authorName(by), error }))

export const decide = async (
  services: Services,
  actor: Actor,
  input: Given<typeof DecideInput>,
): Promise<DecidedView> => {
  const project = await services.finder.project(actor, input.cwd)
  const { decision, checkpoint } = await services.checkpoints.log(project, redact(input.text).text, actor)
  const payload = { n: decision.n, text: decision.text }
  services.announcer.publish({ project, type: 'decision-logged', payload, from: actor })
  return { ...decisionView(decision), checkpoint }
}

export const decisions = async (
  services: Services,
  actor: Actor,
  input: Given<typeof DecisionsInput>,
): Promise<DecisionsView> => {
  const project = await services.finder.project(actor, input.cwd)
  const { decisions: found, total } = services.checkpoints.list(project, input)
  return { decisions: found.map(decisionView), total, every: services.settings['team.checkpoint_decisions'] }
}

const decisionView = ({ by, ...decision }: NumberedDecision): DecisionView => ({ ...decision, by: authorName(by) })
