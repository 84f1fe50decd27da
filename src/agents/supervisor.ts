import { type Agent, type HostKind, isAlive, type LaunchRequest, type ProcessRef } from '../contract/agent.ts'
import type { ConversationView } from '../contract/conversation.ts'
import { ReinError } from '../contract/errors.ts'
import { fullName } from '../contract/handle.ts'
import type { HookCall, HookReply, ToolCall } from '../contract/hooks.ts'
import type { Answer } from '../contract/host.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../contract/record.ts'
import type { WakeWay } from '../contract/wake.ts'
import type { Capabilities, Driver, Installed } from '../drivers/contract.ts'
import { onBeat } from '../base/util/beat.ts'
import type { Answerer } from './asking.ts'
import { resolveAgent } from './directory.ts'
import { goOn, type Relaunch } from './lifecycle.ts'
import type { Asked } from './person-asks.ts'
import { OpenConversations } from './open-conversations.ts'
import type { AgentPorts, Env, SupervisorPorts } from './ports.ts'
import { SupervisedAgent } from './supervised-agent.ts'

interface Identity {
  handle: string
  project: string
  driver: Driver
  host: HostKind
  cwd: string
}

export interface NewAgent extends Omit<Identity, 'cwd'> {
  request: LaunchRequest
  env: Env
  /** The CLI, if it was asked for its version just now: some take seconds to say it. */
  installed?: Installed
  /** It is known, and does not run yet: what has to be so before it does anything. */
  onMade?: ((agent: Agent) => Promise<void>) | undefined
}

export interface JoinedAgent extends Omit<Identity, 'host'> {
  process: ProcessRef
  version: string
  program: string | null
}

/** One that was started by hand before, under the same name, and has ended: its inbox is waiting. */
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

/** All agents of this daemon: starts, finds, takes over and ends them. */
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
    return this.#supervised.get(id)?.agent ?? null
  }

  /** Whether this launch is the one that runs, or is about to: what was given to any other counts no more. */
  isCurrent(id: string, launch: number | null): boolean {
    const agent = this.get(id)
    return agent !== null && this.#ports.launches.isCurrent(agent, launch)
  }

  /** Its process may be there already and ask for things: some CLIs are ready only when their servers have answered. */
  isLaunching(id: string): boolean {
    return this.#ports.launches.underWay(id) !== null
  }

  resolve(target: string, project: string | null): Agent {
    return resolveAgent(this.agents, target, project)
  }

  conversation(id: string): ConversationView | null {
    return this.#supervised.get(id)?.conversation ?? null
  }

  async adoptAll(): Promise<void> {
    for (const one of this.#supervised.values()) {
      await one.adopt().catch((cause: unknown) => this.#ports.onTrouble(`adopting ${one.agent.handle}`, cause))
    }
  }

  /** The doors are open. */
  start(): void {
    this.#isOpen = true
    for (const one of this.#supervised.values()) one.open()
    this.#stopTicking = onBeat(tickMs, () => {
      for (const one of this.#supervised.values()) one.tick()
    })
  }

  /** Resolves when the agent is ready; one that ended at once is an error that says why. */
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
      existing === undefined ? await this.#create({ ...given, cwd: given.request.cwd }) : this.#find(existing.id)
    if (one.agent.isPaused) await one.unpause()
    await given.onMade?.(one.agent)
    one.isAttended = true
    try {
      return await this.#ready(one, () => one.launch(given.request, given.host, given.env, given.installed))
    } finally {
      one.isAttended = false
    }
  }

  /** Before anything is made of it. */
  #refuseOpen({ driver, request }: NewAgent): void {
    const conversation = request.resume ?? request.session ?? null
    this.#ports.conversations.refuseOpen({ id: '', driver: driver.name }, request, conversation)
  }

  async #ready(one: SupervisedAgent, launch: () => Promise<void>): Promise<Agent> {
    await launch()
    await one.leaves('starting', startLimitMs)
    if (isAlive(one.agent.state)) return one.agent
    const { handle, evidence } = one.agent
    throw new ReinError('failed', `${handle} ended at once: ${evidence?.detail ?? 'no reason known'}.`)
  }

  async restart(id: string, how: Relaunch = {}): Promise<Agent> {
    const one = this.#find(id)
    this.#restarting.add(id)
    try {
      return await this.#ready(one, () => one.restart(how, null))
    } finally {
      this.#restarting.delete(id)
      this.#ports.onSettled(id)
    }
  }

  /** Whether it is stopped, if it is, only to be started again. */
  isRestarting(id: string): boolean {
    return this.#restarting.has(id)
  }

  /** Brings back what ran and does not run any more, in its directory with its conversation. */
  async resume(id: string, env: Env): Promise<Agent> {
    const one = this.#find(id)
    const { wasAtWork, state } = one.agent
    if (isAlive(state)) return one.agent
    return this.#ready(one, () => one.restart({ isFreed: true, ...(wasAtWork ? { prompt: goOn.crash } : {}) }, env))
  }

  /** Who else is in this conversation, or about to be. */
  otherIn(agent: Agent, conversation: string): Agent | null {
    return this.#ports.conversations.otherIn(agent, conversation)
  }

  /** What it goes on with when it is started next; null is a new conversation. */
  goTo(id: string, conversation: string | null, transcript: string | null, why: string): Promise<void> {
    return this.#find(id).goTo(conversation, transcript, why)
  }

  /** `reason`: why Rein does it by itself. */
  async pause(id: string, isNow: boolean, reason?: string): Promise<Agent> {
    await this.#find(id).pause(isNow, reason)
    return this.#find(id).agent
  }

  async unpause(id: string): Promise<Agent> {
    await this.#find(id).unpause()
    return this.#find(id).agent
  }

  async down(id: string, timeoutMs: number): Promise<Agent> {
    await this.#find(id).stop(timeoutMs)
    return this.#find(id).agent
  }

  /** `why`: by what way the person said so. */
  async answer(id: string, answer: Answer, why?: string, by?: Answerer): Promise<Agent> {
    await this.#find(id).answer(answer, why, by)
    return this.#find(id).agent
  }

  async interrupt(id: string): Promise<Agent> {
    await this.#find(id).interrupt()
    return this.#find(id).agent
  }

  /** With the fixed sentence, or with a text that no hook of this agent would carry. */
  wake(id: string, text: string | null, canWait: boolean): Promise<void> {
    return this.#find(id).wake(text, canWait)
  }

  /** How it would be woken now. */
  wayToWake(id: string): WakeWay {
    return this.#find(id).wayToWake
  }

  /** Whether ending it now would take something away from a person. */
  isInUse(id: string): Promise<boolean> {
    return this.#find(id).isInUse()
  }

  /** The end of what it shows in its terminal; empty for one that has none of Rein's. */
  readScreen(id: string, lines: number): string {
    return this.#supervised.get(id)?.readScreen(lines) ?? ''
  }

  /** Takes in an agent that somebody started by hand. */
  async join(given: JoinedAgent): Promise<Agent> {
    const ended = this.agents.find((agent) => isRestOf(agent, given))
    const one = ended === undefined ? await this.#create({ ...given, host: 'outside' }) : this.#find(ended.id)
    await one.join(given.process, given.version, given.program, given.cwd)
    return one.agent
  }

  admits(call: HookCall): boolean {
    return this.#supervised.get(call.agent ?? '')?.admits(call) ?? false
  }

  heed(call: HookCall): void {
    this.#supervised.get(call.agent ?? '')?.heed(call)
  }

  /** `isSaid`: the reply to the hook says all that there is to say. */
  conclude(call: HookCall, reply: HookReply, isSaid: boolean): void {
    this.#supervised.get(call.agent ?? '')?.conclude(call, reply, isSaid)
  }

  /** Whether Rein wants a person to be asked about this. */
  asksPerson(id: string, asked: Asked): boolean {
    return this.#supervised.get(id)?.asksPerson(asked) ?? false
  }

  /** Whether a person has allowed this very call, which was held; `isTaken`: it is run now, and no other time. */
  isGranted(id: string, tool: ToolCall, isTaken: boolean): boolean {
    return this.#supervised.get(id)?.isGranted(tool, isTaken) ?? false
  }

  /** What is said instead where its CLI cannot ask a person. */
  hold(call: HookCall, reply: HookReply): HookReply {
    return this.#supervised.get(call.agent ?? '')?.hold(call, reply) ?? reply
  }

  stopBlocks(id: string): number {
    return this.get(id)?.stopBlocks ?? 0
  }

  noteStopBlock(id: string): void {
    this.#find(id).note('agent.stop_blocked', { count: this.stopBlocks(id) + 1 })
  }

  clearStopBlocks(id: string): void {
    this.#find(id).note('agent.stop_blocked', { count: 0 })
  }

  /** Writes down what somebody else found out about an agent. */
  note<T extends 'agent.health' | 'agent.context' | 'agent.model'>(id: string, type: T, body: RecordBody<T>): void {
    this.#find(id).note(type, body)
  }

  /** What the CLI of this agent can do, in the version that it runs in. */
  capabilities(id: string): Capabilities | null {
    return this.#supervised.get(id)?.capabilities ?? null
  }

  /** The call, with what its CLI does not say of it. */
  async attribute(call: HookCall, ms: number): Promise<HookCall> {
    return (await this.#supervised.get(call.agent ?? '')?.attribute(call, ms)) ?? call
  }

  async catchUp(id: string, ms: number): Promise<void> {
    await this.#supervised.get(id)?.catchUp(ms)
  }

  release(): void {
    this.#stopTicking()
    for (const one of this.#supervised.values()) one.release()
  }

  async #create({ handle, project, driver, host, cwd }: Identity): Promise<SupervisedAgent> {
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
      stopBlocks: 0,
      interruptedAt: null,
      createdAt: now,
      request: null,
      until: null,
      isPaused: false,
      pauseReason: null,
      wasAtWork: false,
      crashes: [],
      health: { hooks: 'unknown', failures: 0, healed: 0 },
      model: null,
    }
    const context = { id: this.#ports.newId('rec'), at: now, actor: { kind: 'daemon' as const }, agent: id, project }
    const record = newRecord('agent.created', { agent }, context) as AnyNewRecord
    await this.#ports.append([record])
    const one = new SupervisedAgent(agent, this.#ports)
    this.#supervised.set(id, one)
    if (this.#isOpen) one.open()
    this.#ports.onChange(agent, null, record)
    return one
  }

  #find(id: string): SupervisedAgent {
    const one = this.#supervised.get(id)
    if (one === undefined) throw new ReinError('unknown_agent', `There is no agent ${id}.`)
    return one
  }
}
