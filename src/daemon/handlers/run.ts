import type { z } from 'zod'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor } from '../../contract/identity.ts'
import type { LiveEvent } from '../../contract/live.ts'
import { newRecord } from '../../contract/record.ts'
import type { DecideRunInput, LiveInput, PromptInput } from '../../contract/routes/run.ts'
import type { RunDecision } from '../../contract/run.ts'
import { runEnded } from '../../agents/owners.ts'
import type { Services } from '../services.ts'
import { agentView } from '../views.ts'

/** An agent as it works. Whoever owns it takes it along when leaving; a daemon that ends leaves it to the next one. */
export async function* live(
  services: Services,
  input: z.infer<typeof LiveInput>,
  signal: AbortSignal,
  ending: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const agent = await services.finder.named(input)
  refuseOthers(services, agent)
  const follow = services.hosts.live.follow(agent, signal)
  yield* input.owns ? owned(services, agent.id, follow, ending) : follow
}

async function* owned(
  services: Services,
  id: string,
  follow: AsyncGenerator<LiveEvent>,
  ending: AbortSignal,
): AsyncGenerator<LiveEvent> {
  services.owners.join(id)
  try {
    yield* follow
  } finally {
    services.owners.leave(id)
    if (!ending.aborted) await endLeft(services, id)
  }
}

/** A run may be killed before it can look at its agent, or while no daemon is there to notice. */
export const endAbandoned = (services: Services): void => {
  const { owners, supervisor, journal } = services
  for (const { id } of owners.abandoned(supervisor.agents, services.now()))
    void endLeft(services, id).catch((cause: unknown) =>
      journal.write('trouble', { where: 'abandoned', reason: String(cause) }),
    )
}

/** Only a protocol tells what happens as it happens. */
const refuseOthers = ({ hosts }: Services, { id, handle, host, state }: Agent): void => {
  if (!isAlive(state) && !hosts.comesBack(id))
    throw new ReinError('not_running', `${handle} is not running (${state}).`)
  if (host === 'stream') return
  throw new ReinError('refused', `${handle} has a terminal (host ${host}).`, `See it there: rein attach ${handle}`)
}

const endLeft = async (services: Services, id: string): Promise<void> => {
  const agent = services.supervisor.get(id)
  if (agent === null || !isAlive(agent.state)) return
  const end = { action: 'end', reason: 'stopped', detail: 'Nobody looks at it any more.' } as const
  await carryOut(services, agent, { ...end, turns: 0, costUsd: null }, { kind: 'daemon' })
}

export const prompt = async (services: Services, input: z.infer<typeof PromptInput>): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  await begin(services, agent, input.text)
  return viewOf(services, agent.id)
}

/** What the program that runs an agent decided is written down, then done. */
export const decideRun = async (
  services: Services,
  actor: Actor,
  input: z.infer<typeof DecideRunInput>,
): Promise<AgentView> => {
  const agent = await services.finder.named(input)
  // One that is gone already can still be said to have come to its end.
  if (input.decision.action !== 'end') refuseOthers(services, agent)
  await carryOut(services, agent, input.decision, actor)
  return viewOf(services, agent.id)
}

const carryOut = async (services: Services, agent: Agent, decision: RunDecision, actor: Actor): Promise<void> => {
  if (decision.action === 'prompt') refuseBusy(agent)
  const { id, project } = agent
  const context = { id: services.newId('rec'), at: services.now(), actor, agent: id, project }
  const { text: _, ...decided } = { text: '', ...decision }
  await services.append([newRecord('run.decided', decided, context)])
  if (decision.action === 'prompt') await begin(services, agent, decision.text)
  if (decision.action === 'pause') await services.supervisor.pause(id, false)
  if (decision.action === 'end' && agent.state !== 'stopped')
    await services.supervisor.down(id, services.settings['agents.stop_timeout_s'] * 1000)
  if (decision.action === 'end') services.inbox.end(id, runEnded)
}

const begin = async (services: Services, agent: Agent, text: string): Promise<void> => {
  refuseOthers(services, agent)
  refuseBusy(agent)
  await services.supervisor.wake(agent.id, text, false)
}

/** In the middle of a turn a prompt means something else to each CLI. */
const refuseBusy = ({ handle, state }: Agent): void => {
  if (state === 'idle') return
  throw new ReinError('refused', `${handle} is not idle (${state}).`, `Tell it something: rein tell ${handle} TEXT`)
}

const viewOf = (services: Services, id: string): AgentView => {
  const agent = services.supervisor.get(id)
  if (agent === null) throw new ReinError('unknown_agent', `There is no agent ${id}.`)
  return agentView(services, agent)
}
