import { homedir } from 'node:os'
import path from 'node:path'
import type { Supervisor } from '../agents/supervisor.ts'
import { loadConfig } from '../base/config/load.ts'
import type { Agent } from '../contract/agent.ts'
import type { HookCall, HookReply, Responder } from '../contract/hooks.ts'
import { type AnyNewRecord, newRecord } from '../contract/record.ts'
import { findDriver } from '../drivers/registry.ts'
import { RuleBook } from '../features/rules/book.ts'
import { changesFiles } from '../features/rules/changes-files.ts'
import { Deeds, type Saved } from '../features/rules/deeds.ts'
import { GitLook } from '../features/rules/git.ts'
import { ownFiles } from '../features/rules/guard/own-files.ts'
import { ownVariables } from '../features/rules/guard/own-variables.ts'
import { strangerVerdict } from '../features/rules/guard/stranger.ts'
import { RuleMemories } from '../features/rules/memory.ts'
import { type RulePorts, RuleResponders } from '../features/rules/responder.ts'
import { rootsDownTo } from '../features/rules/sources.ts'
import type { World } from '../features/rules/types.ts'
import { type WorldPorts, worldOf } from '../features/rules/world.ts'
import { BoundedMap } from '../base/util/bounded-map.ts'
import type { AgentWatcher } from '../agents/agent-watcher.ts'
import { unhooked } from '../agents/deciding.ts'
import type { ServiceParts } from './services.ts'

interface RuleParts extends ServiceParts {
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  /** Reads what its conversation shows by now, within what a hook may wait. */
  catchUp: (agent: string) => Promise<void>
  /** Who has a lease on a file that an agent is about to change. */
  lease: WorldPorts['lease']
  /** Something that Rein itself has to say to the agent. */
  say: (agent: Agent, text: string) => void
}

export interface RuleServices {
  book: RuleBook
  watcher: AgentWatcher
  responders: Responder[]
  /** Who is asked what they would say to a call of this agent; nobody knows one that there is not but the rules. */
  explaining: (agent: Agent, responders: readonly Responder[]) => readonly Responder[]
  /** What guards say to a call; null if they let it pass. Whose call it is need not be known: then its project counts. */
  guardVerdict: (call: HookCall, project: string) => Promise<string | null>
  /** It is known what became of a call. */
  conclude: (call: HookCall, reply: HookReply) => void
  /** A snapshot of an agent's files was written down. */
  saved: (agent: string, tree: string) => void
}

/** Hooks wait longer for a daemon that says that it lives; a part of that is for the way, and for others who answer. */
const judgedMs = 3600

/** Puts the rules together: what agents are about to do comes in, what is said to it goes out. */
export const composeRules = (parts: RuleParts): RuleServices => {
  const { supervisor, settings, journal, append, now, newId, catchUp, paths } = parts
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'rules', reason: String(cause) })
  const book = new RuleBook({
    paths: { userRules: path.join(path.dirname(paths.config), 'rules'), state: paths.state },
    packs: packsOf(parts),
    builtIn: () => [ownFiles({ ...paths, home: homedir(), env: process.env })],
  })
  const deeds = new Deeds({
    driver: findDriver,
    changesFiles: async (command) => changesFiles(await parts.lines.read(command, { cwd: null, home: null })),
    now,
    since: now(),
    snapshots: (id) => snapshotsOf(parts, id),
  })
  const world = worlds(parts, deeds)
  const ports: RulePorts = {
    agent: (id) => supervisor.get(id),
    driver: findDriver,
    can: (id) => supervisor.capabilities(id),
    rulesFor: (cwd) => book.rulesFor(cwd),
    world,
    memories: new RuleMemories(now),
    isGranted: (id, tool, isTaken) => supervisor.isGranted(id, tool, isTaken),
    deeds,
    tellsRewrite: (driver) => findDriver(driver).hooks.tellsRewrite,
    catchUp,
    record: (body, { id, project }) => {
      const context = { id: newId('rec'), at: now(), actor: { kind: 'daemon' as const }, agent: id, project }
      void append([newRecord('rule.decided', body, context) as AnyNewRecord]).catch(onTrouble)
    },
    deadlineMs: judgedMs,
    now,
  }
  const rules = new RuleResponders(ports)
  const isOn = settings['rules.enabled']
  const onStopped = async (agent: Agent): Promise<void> => {
    const text = await rules.stopped(unhooked(agent, { event: 'stop' }))
    if (text !== null) parts.say(agent, text)
  }
  return {
    book,
    watcher: isOn
      ? {
          onEntry: ({ id, driver }, entry) => void deeds.read(id, driver, entry).catch(onTrouble),
          onChange: (agent, before, { type, body }) => {
            const isStopped = type === 'agent.state' && body.state === 'idle' && before?.state === 'working'
            if (isStopped && supervisor.capabilities(agent.id)?.onStop === false) void onStopped(agent).catch(onTrouble)
          },
        }
      : {},
    responders: isOn ? rules.responders : [],
    explaining: (agent, responders) =>
      agent.id === '' ? new RuleResponders({ ...ports, agent: () => agent }).responders : responders,
    guardVerdict: async (call, project) => {
      if (!isOn) return null
      if (supervisor.get(call.agent ?? '') !== null) return rules.guardVerdict(call)
      const { actions } = findDriver(call.driver)
      const ofStranger = (heard: HookCall, root: string | null): World =>
        world({ ...heard, cwd: heard.cwd ?? project }, null, root)
      return strangerVerdict({ rulesFor: (cwd) => book.rulesFor(cwd), actions, world: ofStranger }, call, project)
    },
    conclude: (call, reply) => rules.conclude(call, reply),
    saved: (agent, tree) => deeds.saved(agent, tree),
  }
}

/** Whose calls are explained where no agent is named: one that does as every CLI can. */
export const nobody = (cwd: string): Agent => ({
  id: '',
  project: '',
  handle: '',
  driver: 'claude',
  version: '',
  host: 'outside',
  cwd,
  state: 'stopped',
  since: 0,
  evidence: null,
  process: null,
  launch: null,
  program: null,
  conversation: null,
  transcript: null,
  question: null,
  held: [],
  stopBlocks: 0,
  interruptedAt: null,
  createdAt: 0,
  request: null,
  until: null,
  isPaused: false,
  pauseReason: null,
  wasAtWork: false,
  crashes: [],
  health: { hooks: 'unknown', failures: 0, healed: 0 },
  model: null,
})

const worlds = ({ supervisor, environment, now, log, lease, lines, paths }: RuleParts, deeds: Deeds) => {
  const variables = ownVariables(paths)
  const git = new GitLook(now)
  const ports = {
    git,
    deeds,
    now,
    readShell: (command: string, cwd: string, home: string | null) => lines.read(command, { cwd, home, variables }),
    home: (id: string | null) => (id === null ? undefined : environment.of(id)['HOME']) ?? homedir(),
    lease,
    budgetUsed: (id: string) => spentBy(log, supervisor.get(id)?.conversation ?? null, id),
  }
  return ({ cwd, subagent }: HookCall, agent: Agent | null, root: string | null): World =>
    worldOf(ports, { subagent, cwd: cwd ?? agent?.cwd ?? '/' }, agent?.id === '' ? null : agent, root)
}

const newestTurns = 500

/** What the CLI says that the turns of a conversation cost; null if it says nothing. */
const spentBy = (log: RuleParts['log'], conversation: string | null, agent: string): number | null => {
  const costs = log
    .readNewest('turns', agent, newestTurns)
    .flatMap(({ type, body }) =>
      type === 'turn.ended' && body.conversation === conversation ? [body.usage?.costUsd] : [],
    )
    .filter((cost) => cost !== undefined)
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0)
}

const newestSnapshots = 1000

/** Those of the conversation that it has now. */
const snapshotsOf = ({ log, supervisor }: RuleParts, agent: string): Saved[] =>
  log
    .readNewest('sessions', agent, newestSnapshots)
    .flatMap(({ type, body }) =>
      type === 'session.snapshot' && body.conversation === supervisor.get(agent)?.conversation
        ? [{ at: body.at, tree: body.snapshot.tree }]
        : [],
    )
    .toSorted((one, other) => one.at - other.at)

const believedMs = 1000
const mostRoots = 200

/**
 * The packs of the user and those of the project: nobody takes away what the other has switched on. Files are read anew;
 * what the daemon was started with counts where they cannot be read.
 */
const packsOf = ({ paths, settings, now, journal }: RuleParts) => {
  const known = new BoundedMap<string | null, { at: number; packs: Promise<readonly string[]> }>(mostRoots)
  const read = async (root: string | null): Promise<readonly string[]> => {
    const places = [{ env: process.env }, {}, ...rootsDownTo(root).map((projectDir) => ({ projectDir }))]
    const loaded = await Promise.all(places.map((place) => loadConfig({ paths, env: {}, ...place })))
    return namesIn(loaded.map(({ config }) => config['rules.packs'].value))
  }
  return (root: string | null): Promise<readonly string[]> => {
    const last = known.get(root)
    if (last !== undefined && now() - last.at < believedMs) return last.packs
    const packs = read(root).catch((cause: unknown) => {
      journal.write('trouble', { where: 'rules.packs', reason: String(cause) })
      return last?.packs ?? namesIn([settings['rules.packs']])
    })
    known.set(root, { at: now(), packs })
    return packs
  }
}

const namesIn = (texts: readonly (string | null)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text ?? '').split(/[\s,]+/).filter((name) => name !== ''))),
]
