import type { z } from 'zod'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import type { LiveEvent } from '../../contract/live.ts'
import { newRecord } from '../../contract/record.ts'
import type { DecideRunInput, LiveInput, PromptInput } from '../../contract/routes/run.ts'
import type { RunDecision } from '../../contract/run.ts'
import { runEnded } from '../../agents/identity/owners.ts'
import type { AgentParts } from './parts.ts'
import { agentView } from './view.ts'

/** An agent as it works. Whoever owns it takes it along when leaving; a daemon that ends leaves it to the next one. */
export async function* live(
  parts: AgentParts,
  input: z.infer<typeof LiveInput>,
  signal: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const agent = await parts.finder.named(input)
  refuseOthers(parts, agent)
  const follow = parts.hosts.live.follow(agent, signal)
  yield* input.owns ? owned(parts, agent.id, follow) : follow
}

async function* owned(parts: AgentParts, id: string, follow: AsyncGenerator<LiveEvent>): AsyncGenerator<LiveEvent> {
  parts.owners.join(id)
  try {
    yield* follow
  } finally {
    parts.owners.leave(id)
    if (!parts.isEnding()) await endLeft(parts, id)
  }
}

/** A run may be killed before it can look at its agent, or while no daemon is there to notice. */
export const endAbandoned = (parts: AgentParts): void => {
  const { owners, supervisor } = parts
  for (const { id } of owners.abandoned(supervisor.agents, parts.now()))
    void endLeft(parts, id).catch(parts.troubleIn('abandoned'))
}

/** Only a protocol tells what happens as it happens. */
const refuseOthers = ({ hosts }: AgentParts, { id, handle, host, state }: Agent): void => {
  if (!isAlive(state) && !hosts.comesBack(id))
    throw new ReinError('not_running', `${handle} is not running (${state}).`)
  if (host === 'stream') return
  throw new ReinError('refused', `${handle} has a terminal (host ${host}).`, `See it there: rein attach ${handle}`)
}

const endLeft = async (parts: AgentParts, id: string): Promise<void> => {
  const agent = parts.supervisor.get(id)
  if (agent === null || !isAlive(agent.state)) return
  const end = { action: 'end', reason: 'stopped', detail: 'Nobody looks at it any more.' } as const
  await carryOut(parts, agent, { ...end, turns: 0, costUsd: null }, byRein)
}

export const prompt = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof PromptInput>,
): Promise<AgentView> => {
  const agent = await parts.finder.named(input)
  refuseOthers(parts, agent)
  refuseBusy(agent)
  await parts.supervisor.agent(agent.id).prompt(input.text, actor)
  return viewOf(parts, agent.id)
}

/** What the program that runs an agent decided is written down, then done. */
export const decideRun = async (
  parts: AgentParts,
  actor: Actor,
  input: z.infer<typeof DecideRunInput>,
): Promise<AgentView> => {
  const agent = await parts.finder.named(input)
  // One that is gone already can still be said to have come to its end.
  if (input.decision.action !== 'end') refuseOthers(parts, agent)
  await carryOut(parts, agent, input.decision, actor)
  return viewOf(parts, agent.id)
}

const carryOut = async (parts: AgentParts, agent: Agent, decision: RunDecision, actor: Actor): Promise<void> => {
  if (decision.action === 'prompt') refuseBusy(agent)
  const { id, project } = agent
  const context = { id: parts.newId('rec'), at: parts.now(), actor, agent: id, project }
  const { text: _, ...decided } = { text: '', ...decision }
  await parts.append([newRecord('run.decided', decided, context)])
  if (decision.action === 'prompt') await parts.supervisor.agent(id).wake(decision.text, false)
  if (decision.action === 'pause') await parts.supervisor.agent(id).pause(false, actor)
  if (decision.action === 'end' && agent.state !== 'stopped')
    await parts.supervisor.agent(id).stop(parts.settings['agents.stop_timeout_s'] * 1000, actor)
  if (decision.action === 'end') parts.others.inbox.inbox.end(id, runEnded)
}

/** In the middle of a turn a prompt means something else to each CLI. */
const refuseBusy = ({ handle, state }: Agent): void => {
  if (state === 'idle') return
  throw new ReinError(
    'refused',
    `${handle} is not idle (${state}).`,
    `Tell it something: rein tell ${handle} 'How far are you?'`,
  )
}

const viewOf = (parts: AgentParts, id: string): AgentView => {
  const agent = parts.supervisor.get(id)
  if (agent === null) throw new ReinError('unknown_agent', `There is no agent ${id}.`)
  return agentView(parts, agent)
}
