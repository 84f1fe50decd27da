import { homedir } from 'node:os'
import path from 'node:path'
import { byRein } from '../../contract/identity.ts'
import type { Agents } from '../../agents/agents.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import { unhooked } from '../../agents/hook-calls.ts'
import type { HookCall, HookReply } from '../../contract/hooks.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { ruleRoutes } from '../../contract/routes/rules.ts'
import { findDriver } from '../../drivers/registry.ts'
import { RuleBook } from './book.ts'
import { changesFiles } from './changes-files.ts'
import { Deeds } from './deeds.ts'
import { ownFiles } from './guard/own-files.ts'
import { strangerVerdict } from './guard/stranger.ts'
import { RuleMemories } from './memory.ts'
import { type RulePorts, RuleResponders } from './responder.ts'
import type { World } from './types.ts'
import type { WorldPorts } from './world.ts'
import type { Feature } from '../feature.ts'
import { explain } from './explain.ts'
import { openGuards } from './guard/open-guards.ts'
import { packsInForce } from './packs-in-force.ts'
import { snapshotsOf, worlds } from './worlds.ts'

interface Needs {
  /** The lease on a file that an agent is about to change. */
  leases: { leaseOn: WorldPorts['lease'] }
}

interface RulesApi {
  /** The denial of a call by guards; null if they let it pass. For an unknown caller its project counts. */
  guardVerdict: (call: HookCall, project: string) => Promise<string | null>
  /** It is known what became of a call. */
  conclude: (call: HookCall, reply: HookReply) => void
  /** A snapshot of an agent's files was written down. */
  saved: (agent: string, tree: string) => void
}

/** Hooks wait longer for a daemon that says that it lives; a part of that is for the way, and for others who answer. */
const judgedMs = 3600

/** Judges what agents are about to do. */
export const rules: Feature<'rules', typeof ruleRoutes, Needs, RulesApi> = {
  name: 'rules',
  create: (base, agents, others) => {
    const { settings, append, now, newId, paths, lines } = base
    const { supervisor } = agents
    const onTrouble = base.troubleIn('rules')
    const book = new RuleBook({
      paths: { userRules: path.join(path.dirname(paths.config), 'rules'), state: paths.state },
      packs: packsInForce(base),
      builtIn: () => [ownFiles({ ...paths, home: homedir(), env: process.env })],
    })
    const deeds = new Deeds({
      driver: findDriver,
      changesFiles: async (command) => changesFiles(await lines.read(command, { cwd: null, home: null })),
      now,
      since: now(),
      snapshots: (id) => snapshotsOf(base, agents, id),
    })
    const world = worlds(base, agents, deeds, (...asked) => others.leases.leaseOn(...asked))
    const ports: RulePorts = {
      agent: (id) => supervisor.get(id),
      driver: findDriver,
      can: (id) => supervisor.find(id)?.capabilities ?? null,
      rulesFor: (cwd) => book.rulesFor(cwd),
      world,
      memories: new RuleMemories(now),
      isGranted: (id, tool, isTaken) => supervisor.find(id)?.questions.isGranted(tool, isTaken) ?? false,
      deeds,
      tellsRewrite: (driver) => findDriver(driver).hooks.tellsRewrite,
      catchUp: (id) => agents.hooks.catchUp(id),
      record: (body, { id, project }) => {
        const context = { id: newId('rec'), at: now(), actor: byRein, agent: id, project }
        void append([newRecord('rule.decided', body, context) as AnyNewRecord]).catch(onTrouble)
      },
      deadlineMs: judgedMs,
      now,
    }
    const responders = new RuleResponders(ports)
    const isOn = settings['rules.enabled']
    let stopGuards: (() => void) | undefined
    return {
      handlers: { explainCall: ({ actor, input }) => explain({ ...base, ...agents, ports }, actor, input) },
      watchers: isOn ? [watcher(agents, deeds, responders, onTrouble)] : [],
      responders: isOn ? responders.responders : [],
      open: async () => {
        stopGuards = await openGuards(base, agents, book)
      },
      stop: () => stopGuards?.(),
      api: {
        guardVerdict: async (call, project) => {
          if (!isOn) return null
          if (supervisor.get(call.agent ?? '') !== null) return responders.guardVerdict(call)
          const { actions } = findDriver(call.driver)
          const ofStranger = (heard: HookCall, root: string | null): World =>
            world({ ...heard, cwd: heard.cwd ?? project }, null, root)
          return strangerVerdict({ rulesFor: (cwd) => book.rulesFor(cwd), actions, world: ofStranger }, call, project)
        },
        conclude: (call, reply) => responders.conclude(call, reply),
        saved: (agent, tree) => deeds.saved(agent, tree),
      },
    }
  },
}

const watcher = (
  { supervisor, say }: Agents,
  deeds: Deeds,
  responders: RuleResponders,
  onTrouble: (cause: unknown) => void,
): AgentWatcher => ({
  onEntry: ({ id, driver }, entry) => void deeds.read(id, driver, entry).catch(onTrouble),
  onChange: (agent, before, { type, body }) => {
    const isStopped = type === 'agent.state' && body.state === 'idle' && before?.state === 'working'
    if (!isStopped || supervisor.find(agent.id)?.capabilities.onStop !== false) return
    void responders
      .stopped(unhooked(agent, { event: 'stop' }))
      .then((text) => (text === null ? undefined : say(agent, text)))
      .catch(onTrouble)
  },
})
