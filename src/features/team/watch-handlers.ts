import type { z } from 'zod'
import type { Agent } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { Here } from '../../contract/routes/fields.ts'
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
import { authorName } from '../inbox/fence.ts'
import { redact } from '../../base/redact/redact.ts'
import type { TeamParts } from './parts.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** An agent may change only its own watches. */
const ownOrAny = async (
  parts: TeamParts,
  actor: Actor,
  input: Here & { target?: string | undefined },
): Promise<Agent> => {
  const agent = await parts.finder.required(actor, input)
  if (actor.kind === 'agent' && actor.id !== agent.id)
    throw new ReinError('wrong_agent', `What ${agent.handle} watches is not for ${actor.handle} to say.`)
  return agent
}

export const watches = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof WatchesInput>,
): Promise<WatchesView> => {
  const { set, add, drop } = input
  const isChange = set !== undefined || add.length > 0 || drop.length > 0
  const agent = isChange ? await ownOrAny(parts, actor, input) : await parts.finder.required(actor, input)
  if (isChange) await parts.watches.change(agent, { set, add, drop }, actor)
  changed(parts, agent, isChange)
  const { subjects, except, intervalS } = parts.watches.get(agent.id)
  const watched = parts.rooms.all(agent.project).filter(({ name }) => parts.team.watchesRoom(agent, name))
  const { handle, project } = agent
  return { handle, project, subjects, except, intervalS, rooms: watched.map(({ name }) => name) }
}

/** Its notices may have changed with its watches. */
const changed = ({ notices, others }: TeamParts, { id }: Agent, isChange: boolean): void => {
  if (!isChange) return
  notices.onRead(id)
  notices.consider(id)
  others.inbox.consider(id)
}

export const control = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof ControlInput>,
): Promise<ControlView[]> => {
  const agent = await ownOrAny(parts, actor, input)
  await parts.watches.control(agent, redact(input.line).text, actor)
  changed(parts, agent, true)
  return lines(parts, agent).slice(-1)
}

export const controls = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof ControlsInput>,
): Promise<ControlView[]> => lines(parts, await parts.finder.required(actor, input))

const lines = (parts: TeamParts, { id }: Agent): ControlView[] =>
  parts.watches.history(id).map(({ line, at, by, error }) => ({ line, at, by: authorName(by), error }))

export const decide = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof DecideInput>,
): Promise<DecidedView> => {
  const project = await parts.finder.project(actor, input)
  const { decision, checkpoint } = await parts.checkpoints.log(project, redact(input.text).text, actor)
  const payload = { n: decision.n, text: decision.text }
  parts.announcer.publish({ project, type: 'decision-logged', payload, from: actor })
  return { ...decisionView(decision), checkpoint }
}

export const decisions = async (
  parts: TeamParts,
  actor: Actor,
  input: Given<typeof DecisionsInput>,
): Promise<DecisionsView> => {
  const project = await parts.finder.project(actor, input)
  const { decisions: found, total } = parts.checkpoints.list(project, input)
  return { decisions: found.map(decisionView), total, every: parts.settings['team.checkpoint_decisions'] }
}

const decisionView = ({ by, ...decision }: NumberedDecision): DecisionView => ({ ...decision, by: authorName(by) })
