import { realpathSync, statSync } from 'node:fs'
import type { Agents } from '../../agents/agents.ts'
import { endLeftovers } from '../../agents/launch/leftovers.ts'
import { findCli, launchContext } from '../../agents/launch/launch-context.ts'
import type { Base } from '../../base/base.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { wayOf } from '../../contract/person.ts'
import { findDriver } from '../../drivers/registry.ts'
import type { Inbox } from '../inbox/inbox.ts'
import { isClosed } from '../inbox/receipt.ts'
import { findItem } from '../inbox/store.ts'
import type { Copied, MoverPorts } from './mover.ts'
import { findConversation } from './store.ts'

type Chat = Parameters<MoverPorts['cut']>[1]

/** What a move does to an agent, its inbox and its conversation. */
export const agentPorts = (base: Base, agents: Agents, inbox: () => Pick<Inbox, 'openItems' | 'cancel'>) => {
  const { supervisor } = agents
  const { reader, settings } = base
  return {
    agent: (id: string) => supervisor.get(id),
    othersAt: (root: string, agent: string) =>
      supervisor.agents.filter((one) => one.id !== agent && isAtWork(one) && isBelow(one.cwd, root)),
    otherIn: (agent: Agent, conversation: string) => supervisor.otherIn(agent, conversation),
    stop: async (id: string, actor: Actor) => {
      await supervisor.agent(id).stop(settings['agents.stop_timeout_s'] * 1000, actor)
      // A shell that outlives its agent would write on into what is restored.
      await endLeftovers(id)
    },
    start: async (id: string, actor: Actor) => void (await supervisor.restart(id, { actor })),
    toldSince: (id: string, since: number) =>
      inbox()
        .openItems(id)
        .filter(({ state, steps }) => (state === 'placed' || state === 'seen') && (steps.at(-1)?.at ?? 0) > since)
        .map(({ directive }) => directive.id),
    forget: async (directives: readonly string[]) => {
      for (const id of directives) {
        const item = findItem(reader, id)
        if (item !== undefined && !isClosed(item)) await inbox().cancel(item, byRein)
      }
    },
    converse: (id: string, conversation: string | null, transcript: string | null, actor: Actor) => {
      const known = conversation === null ? null : findConversation(reader, conversation)?.transcript
      return supervisor.agent(id).goTo(conversation, transcript ?? known ?? null, wayOf(actor, 'rein session'), actor)
    },
    checkCut: (agent: Agent) => void cutterOf(agent),
    cut: (agent: Agent, chat: Chat, cwd = agent.cwd) => copy(base, agents, agent, chat, cwd),
  }
}

export const isAtWork = ({ state }: Agent): boolean => isAlive(state) && state !== 'idle' && state !== 'paused'
const isBelow = (dir: string, root: string): boolean => {
  try {
    const real = realpathSync(dir)
    return real === root || real.startsWith(`${root}/`)
  } catch {
    return false
  }
}

export const cutterOf = ({ driver: name, host: kind, version }: Agent) => {
  const driver = findDriver(name)
  const host = kind === 'outside' ? (driver.hosts[0] ?? 'stream') : kind
  if (driver.cut !== null && driver.capabilities(version, host).cut) return { driver, host, cut: driver.cut }
  const reason = driver.reasons(version, host).cut ?? 'its conversations cannot be cut'
  throw new ReinError('refused', `${driver.title}: ${reason}.`, 'Go back with the files alone: --code')
}

/** The CLI's own files are where its environment says, which for one that Rein starts is Rein's doing. */
const copy = async (
  base: Base,
  { environment }: Agents,
  agent: Agent,
  { conversation, transcript, after }: Chat,
  cwd: string,
): Promise<Copied> => {
  const { driver, host, cut } = cutterOf(agent)
  const own = environment.of(agent.id)
  const context = launchContext(base, driver, host, await findCli(base, driver, host, own), own, agent, null)
  const env = agent.host === 'outside' ? own : driver.launch({ cwd, env: {}, args: [] }, context).env
  const { installed, newConversation } = context
  const made = await cut({ conversation, transcript, after, newConversation, cwd, env, installed })
  const topic = `file:${made.transcript}`
  const isFile = driver.transcript.format.kind !== 'rows'
  return { ...made, read: isFile ? [{ reader: 'turns', topic, position: statSync(made.transcript).size }] : [] }
}
