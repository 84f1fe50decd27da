import { join } from 'node:path'
import type { Base } from '../base/base.ts'
import { tellLoss } from '../base/tell-loss.ts'
import type { Agent, HostKind, LaunchRequest } from '../contract/agent.ts'
import type { Priority } from '../contract/directive.ts'
import type { HookCall, HookReply, Responder } from '../contract/hooks.ts'
import type { AgentRef } from '../contract/identity.ts'
import type { Driver, Installed } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import type { AgentWatcher } from './agent-events.ts'
import { Canaries } from './healing/canary.ts'
import { ContextWatch, type Handovers } from './context/context-watch.ts'
import { HookCalls, permissionCall } from './hook-calls.ts'
import { bootedAt, type Environments, environments } from './launch/environments.ts'
import { AgentFinder } from './identity/finder.ts'
import { Healing } from './healing/healing-watch.ts'
import { HookedAgents } from './hooked-agents.ts'
import { orderResponders } from './hooks/responder-order.ts'
import { createHosts } from './hosts/hosts.ts'
import { journalAgent, journalTurns } from './view/journal-entries.ts'
import { Launches } from './launch/launches.ts'
import { findCli, launchContext } from './launch/launch-context.ts'
import { endLeftovers } from './launch/leftovers.ts'
import { OutsideAgents } from './identity/outside.ts'
import { Owners } from './identity/owners.ts'
import { policyResponder } from './questions/policy-responder.ts'
import { Projects } from './projects/projects.ts'
import { allAgents } from './state/store.ts'
import { Supervisor } from './supervisor.ts'
import { refuseUntrusted } from './launch/untrusted.ts'
import { weakenedWatcher } from './launch/weakened.ts'

/** What Rein itself says to an agent. */
export interface OwnWords {
  type: string
  priority: Priority
  text: string
  expiresInMs: number | null
}

/** What agents need of the features, which come to be after them. */
export interface AgentNeeds {
  inbox: {
    say: (agent: AgentRef, words: OwnWords) => Promise<unknown>
    /** Takes back what Rein said in words of these types. */
    withdraw(agent: string, types: readonly string[]): Promise<void>
  }
  channels: {
    tellPeople(project: string, text: string): void
    channels: {
      /** `mode`: how the agent says that it asks before its tools run. */
      noteMode(agent: string, mode: string): void
    }
  }
  /** It is known what became of a call. */
  memory: { conclude(call: HookCall, reply: HookReply): void }
  team: { firstRoom(agent: Agent): string | null }
  tasks: { handovers: Handovers }
  sessions: { isMoving(agent: string): boolean }
  rules: { conclude(call: HookCall, reply: HookReply): void }
  deploy: { refresh(): Promise<boolean> }
}

/** Who is told of agents, and who answers their hooks: the features, in the order of their list. */
interface Audience {
  watchers: readonly AgentWatcher[]
  responders: readonly Responder[]
}

/** Everything about agents that features build on. */
export interface Agents {
  supervisor: Supervisor
  projects: Projects
  finder: AgentFinder
  environment: Environments
  hosts: ReturnType<typeof createHosts>
  outside: OutsideAgents
  owners: Owners
  canaries: Canaries
  healing: Healing
  contexts: ContextWatch
  hooks: HookedAgents
  hookCalls: HookCalls
  /** An urgent note from Rein itself; nobody waits for it. */
  say: (agent: Agent, text: string) => void
  /** Nobody starts it again any more. */
  onSettled: (id: string) => void
}

interface CreatedAgents {
  agents: Agents
  /** Features exist by now, and are told of agents from here on. */
  connect: (features: Audience) => void
  start: () => void
  /** Agents run on. */
  stop: () => Promise<void>
}

/** How far back the log is searched for what was done about an agent's context. */
const newestRecords = 500

/** All agents, as they were when the last daemon ended. */
export const createAgents = (base: Base, others: AgentNeeds): CreatedAgents => {
  const { journal, paths, settings, now, newId, append, reader, log } = base
  const environment = environments(paths, bootedAt())
  const agentDir = (id: string): string => join(paths.state, 'agents', id)
  const comesBack = (id: string): boolean => supervisor.isRestarting(id) || others.sessions.isMoving(id)
  const hosts = createHosts(paths, settings, comesBack)
  const onSettled = (id: string): void => hosts.live.settle(supervisor.get(id))
  const sayTrouble = base.troubleIn('inbox')
  // What Rein itself says is worth a turn: it is only said when the agent has to go on.
  const say = (agent: Agent, text: string): void =>
    void others.inbox.say(agent, { type: 'note', priority: 'urgent', text, expiresInMs: null }).catch(sayTrouble)
  const watchers: AgentWatcher[] = []

  const supervisor: Supervisor = new Supervisor(
    {
      append: async (records, cursors) => {
        await append(records, cursors).catch(tellLoss(journal, 'agents'))
        journalTurns(journal, records, (id) => supervisor.get(id)?.handle ?? '')
      },
      cursor: (topic) => log.cursor('turns', topic),
      now,
      newId,
      driver: findDriver,
      ...launchPorts(base, environment),
      onTrouble: (where, cause) => base.troubleIn(where)(cause),
      host: hosts.host,
      onSettled,
      agentDir,
      say,
      decide: (agent, asked) => hookCalls.decideCall(permissionCall(agent, asked)),
      watchers,
    },
    allAgents(reader),
  )
  const known = allAgents(reader)
  const projects = new Projects({ reader, append, agents: known, now, newId, onTrouble: base.troubleIn('projects') })
  const healing = healingWatch(base, others, supervisor, agentDir)
  const contexts = contextWatch(base, others, supervisor)
  const policy = policyOf(supervisor)
  const outside = new OutsideAgents({ supervisor, journal, projects, settings })
  const canaries = new Canaries(join(paths.state, 'canaries'))
  const hookCalls = new HookCalls({ supervisor, outside, canaries, journal, settings, others })
  const agents: Agents = {
    supervisor,
    projects,
    finder: new AgentFinder({ supervisor, projects }),
    environment,
    hosts,
    outside,
    owners: new Owners(),
    canaries,
    healing,
    contexts,
    hooks: new HookedAgents(supervisor),
    hookCalls,
    say,
    onSettled,
  }
  const weakened = weakenedWatcher(base, (...news) => others.channels.tellPeople(...news))
  const connect = (features: Audience): void => {
    const journaling: AgentWatcher = { onChange: (...news) => journalAgent(journal, ...news) }
    watchers.push(journaling, healing, contexts, ...features.watchers, hosts.live, weakened)
    hookCalls.responders = orderResponders([policy, ...features.responders, contexts.responder])
  }
  const start = (): void => {
    supervisor.start()
    healing.start()
    contexts.start()
    void canaries.clear().catch(base.troubleIn('canaries'))
  }
  const stop = (): Promise<void> => {
    healing.stop()
    contexts.stop()
    supervisor.release()
    return hosts.close()
  }
  return { agents, connect, start, stop }
}

const policyOf = (supervisor: Supervisor): Responder =>
  policyResponder({
    agent: (id) => supervisor.get(id),
    asksPerson: (id, asked) => supervisor.find(id)?.questions.asksPerson(asked) ?? false,
    asksAlways: (id) => supervisor.find(id)?.capabilities.beforeTool === false,
  })

const healingWatch = (
  { journal, now, paths, settings }: Base,
  others: AgentNeeds,
  supervisor: Supervisor,
  agentDir: (id: string) => string,
): Healing =>
  new Healing({
    supervisor,
    journal,
    now,
    driver: findDriver,
    agentDir,
    rein: join(paths.state, 'bin/rein'),
    recoveryAfter: settings['notify.recovery_after'],
    firstRoom: (agent) => others.team.firstRoom(agent),
    refresh: () => others.deploy.refresh(),
  })

const contextWatch = (
  { journal, now, settings, log }: Base,
  others: AgentNeeds,
  supervisor: Supervisor,
): ContextWatch =>
  new ContextWatch({
    supervisor,
    journal,
    now,
    limits: {
      warnAt: settings['context.warn_at'],
      handoverAt: settings['context.handover_at'],
      rotateAt: settings['context.rotate_at'],
    },
    setWindow: settings['agents.context_window'],
    records: (id) => log.readNewest('agents', id, newestRecords),
    say: (...said) => others.inbox.say(...said),
    withdraw: (...said) => others.inbox.withdraw(...said),
    handovers: {
      keep: (...handover) => others.tasks.handovers.keep(...handover),
      reminder: (agent) => others.tasks.handovers.reminder(agent),
    },
  })

/** Starting, and starting again. */
const launchPorts = (base: Base, environment: Environments) => {
  const { settings, journal } = base
  const launches = new Launches()
  return {
    launches,
    context: async (agent: Agent, host: HostKind, env: Record<string, string>, known: Installed | null) => {
      const driver = findDriver(agent.driver)
      const installed = known ?? (await findCli(base, driver, host, env))
      return launchContext(base, driver, host, installed, env, agent, launches.begin(agent.id))
    },
    environment,
    refuseUntrusted: (driver: Driver, request: LaunchRequest, host: HostKind, env: Record<string, string>) =>
      refuseUntrusted(base, driver, { request, host, env }),
    endLeftovers: async (id: string) => {
      const count = await endLeftovers(id)
      if (count > 0) journal.write('leftovers', { agent: id, count })
    },
    restart: {
      isOn: settings['agents.restart'],
      firstWaitMs: settings['agents.restart_backoff_s'] * 1000,
      longestWaitMs: settings['agents.restart_backoff_max_s'] * 1000,
      limit: settings['agents.restart_limit'],
    },
    stopTimeoutMs: settings['agents.stop_timeout_s'] * 1000,
    bootedAt,
  }
}
