import { type Agent, type HostKind, isAlive, type LaunchRequest, type ProcessRef } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import { type Actor, byRein } from '../contract/identity.ts'
import { fullName } from '../contract/handle.ts'
import { type AnyNewRecord, newRecord } from '../contract/record.ts'
import type { Driver, Installed } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import { saysLoggedOut } from '../drivers/stream-events.ts'
import { onBeat } from '../base/util/beat.ts'
import { continueTexts, type Relaunch } from './state/lifecycle.ts'
import { OpenConversations } from './conversation/open-conversations.ts'
import type { AgentPorts, Env, SupervisorPorts } from './ports.ts'
import { SupervisedAgent } from './supervised-agent.ts'

interface Identity {
  handle: string
  project: string
  driver: Driver
  host: HostKind
  cwd: string
}

interface NewAgent extends Omit<Identity, 'cwd'> {
  request: LaunchRequest
  env: Env
  actor: Actor
  /** The CLI, if its version was queried just now: some take seconds to answer. */
  installed?: Installed
  /** Called when the agent is recorded, before its process starts. */
  onMade?: ((agent: Agent) => Promise<void>) | undefined
}

export interface JoinedAgent extends Omit<Identity, 'host'> {
  process: ProcessRef
  version: string
  program: string | null
}

/** Whether this is an ended hand-started agent of the same name: a new process takes it over with its inbox. */
export const isRestOf = (
  agent: Agent,
  { project, handle, driver }: Pick<JoinedAgent, 'project' | 'handle' | 'driver'>,
): boolean =>
  agent.host === 'outside' &&
  !isAlive(agent.state) &&
  agent.project === project &&
  agent.handle === handle &&
  agent.driver === driver.name

const startLimitMs = 15_000
const tickMs = 1000

/** All agents of this daemon: starts, finds and adopts them. */
export class Supervisor {
  readonly #ports: AgentPorts
  readonly #supervised: Map<string, SupervisedAgent>
  readonly #starting = new Set<string>()
  readonly #restarting = new Set<string>()
  #stopTicking: () => void = () => undefined
  #isOpen = false

  constructor(ports: SupervisorPorts, agents: readonly Agent[]) {
    this.#ports = { ...ports, conversations: new OpenConversations(() => this.agents) }
    this.#supervised = new Map(agents.map((agent) => [agent.id, new SupervisedAgent(agent, this.#ports)]))
  }

  get agents(): Agent[] {
    return [...this.#supervised.values()].map(({ agent }) => agent)
  }

  get(id: string): Agent | null {
    return this.find(id)?.agent ?? null
  }

  find(id: string | null): SupervisedAgent | null {
    return this.#supervised.get(id ?? '') ?? null
  }

  /** The handle of an agent that must exist. */
  agent(id: string): SupervisedAgent {
    const one = this.find(id)
    if (one === null) throw new ReinError('unknown_agent', `There is no agent ${id}.`)
    return one
  }

  /** Whether this launch is running or under way; tokens of any other launch are invalid. */
  isCurrent(id: string, launch: number | null): boolean {
    const agent = this.get(id)
    return agent !== null && this.#ports.launches.isCurrent(agent, launch)
  }

  /** Whether a launch is under way. Its process may already send requests: some CLIs wait for their MCP servers first. */
  isLaunching(id: string): boolean {
    return this.#ports.launches.underWay(id) !== null
  }

  async adoptAll(): Promise<void> {
    for (const one of this.#supervised.values()) {
      await one.adopt().catch((cause: unknown) => this.#ports.onTrouble(`adopting ${one.agent.handle}`, cause))
    }
  }

  /** The daemon accepts calls: timers and planned restarts may run. */
  start(): void {
    this.#isOpen = true
    for (const one of this.#supervised.values()) one.open()
    this.#stopTicking = onBeat(tickMs, () => {
      for (const one of this.#supervised.values()) one.tick()
    })
  }

  /** Resolves when the agent is ready; throws with the reason if it ends at once. */
  async up(given: NewAgent): Promise<Agent> {
    const name = `${given.project}/${given.handle}`
    if (this.#starting.has(name)) throw new ReinError('handle_taken', `${given.handle} is being started already.`)
    this.#starting.add(name)
    try {
      return await this.#start(given)
    } finally {
      this.#starting.delete(name)
    }
  }

  async #start(given: NewAgent): Promise<Agent> {
    const existing = this.agents.find((agent) => agent.project === given.project && agent.handle === given.handle)
    if (existing !== undefined && isAlive(existing.state)) {
      throw new ReinError(
        'handle_taken',
        `${given.handle} is running already (${existing.state}).`,
        `Stop it first: rein down ${fullName(existing)}`,
      )
    }
    if (existing !== undefined && existing.driver !== given.driver.name)
      throw new ReinError(
        'handle_taken',
        `${given.handle} is an agent of ${existing.driver}.`,
        'Choose another handle.',
      )
    if (existing === undefined) this.#refuseOpen(given)
    const one =
      existing === undefined
        ? await this.#create({ ...given, cwd: given.request.cwd }, given.actor)
        : this.agent(existing.id)
    if (one.agent.isPaused) await one.unpause(given.actor)
    await given.onMade?.(one.agent)
    one.isAttended = true
    try {
      return await this.#ready(one, () => one.launch(given.request, given.host, given.env, given))
    } finally {
      one.isAttended = false
    }
  }

  /** Refuses a conversation that another agent has open, before any record is written. */
  #refuseOpen({ driver, request }: NewAgent): void {
    const conversation = request.resume ?? request.session ?? null
    this.#ports.conversations.refuseOpen({ id: '', driver: driver.name }, request, conversation)
  }

  async #ready(one: SupervisedAgent, launch: () => Promise<void>): Promise<Agent> {
    await launch()
    await one.leaves('starting', startLimitMs)
    if (isAlive(one.agent.state)) return one.agent
    const { handle, evidence, driver } = one.agent
    const reason = evidence?.detail ?? 'no reason known'
    const hint = saysLoggedOut(reason)
      ? `It is not logged in. Log in: ${findDriver(driver).login.command}`
      : `Start it by itself to see more: ${findDriver(driver).program}`
    throw new ReinError('failed', `${handle} ended at once: ${reason.replace(/\.$/, '')}.`, hint)
  }

  async restart(id: string, how: Relaunch = {}): Promise<Agent> {
    const one = this.agent(id)
    this.#restarting.add(id)
    try {
      return await this.#ready(one, () => one.restart(how, null))
    } finally {
      this.#restarting.delete(id)
      this.#ports.onSettled(id)
    }
  }

  /** Whether a stop is part of a restart. */
  isRestarting(id: string): boolean {
    return this.#restarting.has(id)
  }

  /** Restarts an agent that is down, in its directory and its conversation. */
  async resume(id: string, env: Env, actor: Actor): Promise<Agent> {
    const one = this.agent(id)
    const { wasAtWork, state } = one.agent
    if (isAlive(state)) return one.agent
    const how = { isFreed: true, actor, ...(wasAtWork ? { prompt: continueTexts.crash } : {}) }
    return this.#ready(one, () => one.restart(how, env))
  }

  /** The other agent that has this conversation open, or is about to. */
  otherIn(agent: Agent, conversation: string): Agent | null {
    return this.#ports.conversations.otherIn(agent, conversation)
  }

  /** Registers an agent that a person started by hand. */
  async join(given: JoinedAgent): Promise<SupervisedAgent> {
    const ended = this.agents.find((agent) => isRestOf(agent, given))
    const one = ended === undefined ? await this.#create({ ...given, host: 'outside' }, byRein) : this.agent(ended.id)
    await one.join(given.process, given.version, given.program, given.cwd)
    return one
  }

  release(): void {
    this.#stopTicking()
    for (const one of this.#supervised.values()) one.release()
  }

  async #create({ handle, project, driver, host, cwd }: Identity, actor: Actor): Promise<SupervisedAgent> {
    const now = this.#ports.now()
    const id = this.#ports.newId('agt')
    const agent: Agent = {
      id,
      project,
      handle,
      driver: driver.name,
      version: '',
      host,
      cwd,
      program: null,
      state: 'stopped',
      since: now,
      evidence: null,
      process: null,
      launch: null,
      conversation: null,
      transcript: null,
      question: null,
      held: [],
      allowed: [],
      stopBlocks: 0,
      interruptedAt: null,
      createdAt: now,
      request: null,
      until: null,
      isPaused: false,
      pauseReason: null,
      wasAtWork: false,
      ending: null,
      crashes: [],
      health: { hooks: 'unknown', failures: 0, healed: 0 },
      model: null,
    }
    const context = { id: this.#ports.newId('rec'), at: now, actor, agent: id, project }
    const record = newRecord('agent.created', { agent }, context) as AnyNewRecord
    await this.#ports.append([record])
    const one = new SupervisedAgent(agent, this.#ports)
    this.#supervised.set(id, one)
    if (this.#isOpen) one.open()
    for (const watcher of this.#ports.watchers) watcher.onChange?.(agent, null, record)
    return one
  }
}
