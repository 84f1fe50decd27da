import { copyFile } from 'node:fs/promises'
import {
  type Agent,
  type AgentState,
  type HostKind,
  isAlive,
  type LaunchRequest,
  type ProcessRef,
} from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import { emptyReply, type HookCall, type HookReply } from '../contract/hooks.ts'
import type { HostedAgent, HostEvent } from '../contract/host.ts'
import { type Actor, byRein, type Evidence } from '../contract/identity.ts'
import { isLoginQuestion } from '../contract/login-question.ts'
import { wayOf } from '../contract/person.ts'
import type { WakeWay } from '../contract/wake.ts'
import type { Capabilities, Driver, Installed } from '../drivers/contract.ts'
import { BoundedMap } from '../base/util/bounded-map.ts'
import { hasRoom } from '../base/util/room.ts'
import { AgentConversation } from './conversation/agent-conversation.ts'
import { isOwnCall } from './identity/own-call.ts'
import { rememberAssets } from './launch/assets.ts'
import { writePrivateFiles } from './launch/private-files.ts'
import { again, continued, ephemeral, notRunning } from './launch/requests.ts'
import type { AgentPorts, Env } from './ports.ts'
import { AgentQuestions } from './questions/agent-questions.ts'
import { CurrentAgent } from './state/current-agent.ts'
import { isNewModel } from './state/evolve-agent.ts'
import { Lifecycle, goneMeanwhile, continueTexts, type Relaunch } from './state/lifecycle.ts'
import { LostEnd } from './state/lost-end.ts'
import { hookEvidence, tellsState } from './state/machine.ts'
import { isWake, startTurn, wayToWake } from './wake/wake.ts'

const justNowMs = 1000
const mostForeign = 200

interface Launching {
  /** The CLI, if its version was queried just now. */
  installed?: Installed | null | undefined
  actor?: Actor
}

/** One agent: its process, its conversation and its state. */
export class SupervisedAgent {
  readonly #ports: AgentPorts
  readonly current: CurrentAgent
  readonly #lifecycle: Lifecycle
  readonly #lostEnd = new LostEnd()
  readonly conversation: AgentConversation
  readonly questions: AgentQuestions
  #hosted: HostedAgent | null = null
  #exportTo: string | null = null
  /** Who ends it. */
  #stopper: Actor | null = null
  #stopsUnderWay = 0
  #launching: Promise<void> | null = null
  /** The last call that told what the agent does, and when it came. */
  #lastCall: HookCall | null = null
  #calledAt = 0
  readonly #foreign = new BoundedMap<string, true>(mostForeign)

  constructor(agent: Agent, ports: AgentPorts) {
    this.#ports = ports
    this.current = new CurrentAgent(agent, ports, (state) => {
      if (state === 'limited') this.#lifecycle.schedule()
      if (state === 'idle' || isLoginQuestion(this.agent.question)) void this.conversation.finishTurn()
    })
    this.conversation = new AgentConversation(this.current, this.#lostEnd, ports)
    this.questions = new AgentQuestions(this.current, ports, () => this.#process())
    this.#lifecycle = new Lifecycle(this.current, ports, (how) => this.#relaunch(how, ports.environment.of(agent.id)))
  }

  get agent(): Agent {
    return this.current.agent
  }

  /** What the CLI of this agent can do, in the version that it runs in. */
  get capabilities(): Capabilities {
    return this.#driver.capabilities(this.agent.version, this.agent.host)
  }

  /** Adopts a process that outlived its daemon; its conversation is read first. */
  async adopt(): Promise<void> {
    // A daemon that was killed during a launch has no record of the process that it started.
    if (!isAlive(this.agent.state)) return void this.#ports.endLeftovers(this.agent.id)
    this.conversation.follow()
    const { process, id, question } = this.agent
    this.questions.adopt(question)
    const host = this.#ports.host(this.agent.host, this.#driver)
    this.#hosted =
      process === null ? null : await host.adopt(this.#ports.agentDir(id), process, (event) => this.#hear(event))
    if (this.#hosted !== null) return
    // Nobody saw when it ended: what a person chose last counts.
    this.#stopper = this.agent.ending?.actor ?? null
    this.#ended(null, { source: 'process', detail: goneMeanwhile(this.agent, this.#ports.bootedAt()) })
  }

  /** The daemon accepts calls: planned restarts may run, including those of an earlier daemon. */
  open(): void {
    this.#lifecycle.open()
  }

  /** Only one launch at a time: a person may start the agent while a planned restart is due. */
  async launch(request: LaunchRequest, kind: HostKind, env: Env, launching: Launching = {}): Promise<void> {
    if (this.#launching !== null) throw new ReinError('handle_taken', `${this.agent.handle} is being started already.`)
    this.#lifecycle.take()
    this.#launching = this.#launch(request, kind, env, launching)
    try {
      await this.#launching
    } finally {
      this.#launching = null
      this.#ports.launches.end(this.agent.id)
      this.#ports.conversations.release(this.agent)
      this.#lifecycle.schedule()
    }
  }

  async #launch(request: LaunchRequest, kind: HostKind, given: Env, launching: Launching): Promise<void> {
    const { installed = null, actor } = launching
    const { id } = this.agent
    const { isEphemeral, env } = ephemeral(request, given)
    const driver = this.#driver
    const host = this.#ports.host(kind, driver)
    await this.#ports.refuseUntrusted(driver, request, kind, env)
    const context = await this.#ports.context(this.agent, kind, env, installed)
    const asked = continued(this.agent, driver, request)
    const plan = driver.launch(asked, context)
    this.#ports.conversations.claim(this.agent, asked, plan.conversation)
    await this.#ports.endLeftovers(id)
    this.#ports.environment.keep(id, env)
    writePrivateFiles(plan.files)
    rememberAssets(this.#ports.agentDir(id), context.assets)
    this.conversation.env = plan.env
    this.#stopper = null
    this.#exportTo = request.export ?? null
    this.current.hasFirstPrompt = request.prompt !== undefined
    const early: HostEvent[] = []
    let hear = (event: HostEvent): void => void early.push(event)
    const marked = this.#ports.launches.mark(id, plan)
    this.#hosted = await host.start(this.#ports.agentDir(id), marked, (event) => hear(event))
    const isOther = plan.conversation !== this.agent.conversation
    const launched = {
      process: this.#hosted.process,
      launch: this.#ports.launches.underWay(id),
      host: kind,
      version: context.installed.version,
      cwd: plan.cwd,
      program: plan.command,
      conversation: plan.conversation,
      transcript: plan.conversation === null ? null : driver.transcript.locate(plan.conversation, plan.cwd, plan.env),
      request: { ...request, isEphemeral, env: {} },
    }
    this.current.note('agent.launched', launched, actor)
    if (isOther) this.conversation.loseContext()
    this.conversation.follow()
    // Events from before `agent.launched` would be attributed to the previous process.
    hear = (event) => this.#hear(event)
    early.forEach(hear)
    await this.current.written
  }

  /** Registers a process that Rein did not start: only its hooks report on it. */
  async join(process: ProcessRef, version: string, program: string | null, cwd: string): Promise<void> {
    const request = { cwd, env: {}, args: [] }
    const found = { process, launch: null, version, program, cwd, host: 'outside' as const, request }
    this.current.note('agent.launched', { ...found, conversation: null, transcript: null })
    const host = this.#ports.host('outside', this.#driver)
    this.#hosted = await host.adopt(this.#ports.agentDir(this.agent.id), process, (event) => this.#hear(event))
    if (this.#hosted === null) this.#ended(0, { source: 'process', detail: 'gone before it was known' })
    await this.current.written
  }

  /** Resolves when the agent is in another state than `state`, or when time is up. */
  async leaves(state: AgentState, ms: number): Promise<void> {
    const deadline = this.#ports.now() + ms
    while (this.agent.state === state && this.#ports.now() < deadline)
      await this.current.nextChange(deadline - this.#ports.now())
  }

  /** Starts it again with the same request, in the same conversation unless `isFresh`. */
  async restart(how: Relaunch, env: Env | null): Promise<void> {
    const wasAlive = isAlive(this.agent.state)
    if (wasAlive) await this.#stop(this.#ports.stopTimeoutMs, how.actor ?? byRein)
    try {
      await this.#relaunch(how, env ?? this.#ports.environment.of(this.agent.id))
    } catch (cause) {
      // It ran before and no other launch is under way: restart it as after a crash.
      const isLost = wasAlive && this.#launching === null && !isAlive(this.agent.state)
      if (isLost) this.#lifecycle.crashed({ source: 'process', detail: String(cause) })
      throw cause
    }
  }

  /** Sets the conversation of the next start; null is a new conversation. */
  async goTo(conversation: string | null, transcript: string | null, why: string, actor: Actor): Promise<void> {
    await this.#launching?.catch(() => undefined)
    const { handle, state } = this.agent
    if (isAlive(state)) throw new ReinError('refused', `${handle} is running (${state}).`)
    const evidence: Evidence = { source: 'command', detail: why }
    this.current.note('agent.conversation', { conversation, transcript, evidence }, actor)
    this.conversation.loseContext()
    await this.current.written
  }

  /** Its turn may end; none is begun until it is unpaused. `reason`: why Rein pauses it by itself. */
  async pause(isNow: boolean, actor: Actor, reason: string | null = null): Promise<void> {
    const hosted = this.#process()
    const isCutOff = isNow && this.agent.state === 'working'
    if (!this.agent.isPaused || isCutOff) this.current.note('agent.paused', { isPaused: true, isCutOff, reason }, actor)
    await this.current.written
    if (isCutOff) await hosted.interrupt()
  }

  async unpause(actor: Actor): Promise<void> {
    if (!this.agent.isPaused) throw new ReinError('refused', `${this.agent.handle} is not paused.`)
    const { wasAtWork, pauseReason } = this.agent
    this.current.note('agent.paused', { isPaused: false, isCutOff: false, reason: null }, actor)
    if (wasAtWork)
      this.#ports.say(this.agent, pauseReason === null ? continueTexts.pause : continueTexts.after(pauseReason))
    await this.current.written
  }

  /** While a caller waits for the start and gets the error, a crash causes no automatic restart. */
  set isAttended(isAttended: boolean) {
    this.#lifecycle.isAttended = isAttended
  }

  /** Time has passed: something may be due. */
  tick(): void {
    this.#lifecycle.tick()
    this.current.tick()
    if (this.#stopsUnderWay === 0) this.questions.tick()
    // The stream may have had no room to report the end of the turn.
    const isThereRoom = (): boolean => hasRoom(this.#ports.agentDir(this.agent.id))
    const evidence = this.#lostEnd.look(this.agent, isThereRoom, this.#ports.now())
    if (evidence === null) return
    this.#hosted?.endTurn?.()
    this.current.apply({ from: 'stream', state: 'idle', question: null, evidence })
  }

  /** An agent that is down already stays down: no restart happens. */
  async stop(timeoutMs: number, actor: Actor): Promise<void> {
    await this.#launching?.catch(() => undefined)
    this.#stopsUnderWay += 1
    try {
      if (isAlive(this.agent.state)) {
        // If this daemon is killed before the process has ended, the next one knows that this was no crash.
        this.current.note('agent.ending', { until: this.#ports.now() + timeoutMs }, actor)
        await this.current.written
      }
      await this.#stop(timeoutMs, actor)
    } finally {
      this.#stopsUnderWay -= 1
    }
  }

  async #stop(timeoutMs: number, actor: Actor): Promise<void> {
    await this.#launching?.catch(() => undefined)
    if (this.agent.state === 'crashed' || this.agent.state === 'looping') {
      this.#lifecycle.stop()
      const evidence: Evidence = { source: 'command', detail: wayOf(actor, 'rein down') }
      this.current.note('agent.state', { state: 'stopped', evidence, question: null }, actor)
      return void (await this.current.written)
    }
    const hosted = this.#process()
    this.#stopper = actor
    // A CLI that ends before it has written its transcript loses what it has just done.
    if (this.#ports.now() - this.agent.since < justNowMs) await this.conversation.untilQuiet()
    await hosted.stop(timeoutMs)
    while (this.#hosted === hosted) await this.current.nextChange(timeoutMs)
    await this.current.written
    const { state, handle } = this.agent
    if (isAlive(state)) throw new ReinError('refused', `${handle} was started again meanwhile, by somebody else.`)
  }

  async interrupt(actor: Actor): Promise<void> {
    await this.#process().interrupt()
    const evidence: Evidence = { source: 'command', detail: wayOf(actor, 'rein interrupt') }
    this.current.note('agent.interrupted', { evidence }, actor)
  }

  /** Begins a turn: with the fixed sentence, or with a text that no hook would carry. `canWait`: not under the hands of a person. */
  async wake(text: string | null, canWait: boolean): Promise<void> {
    const hosted = this.#process()
    const reason = canWait ? ((await hosted.whyWait?.()) ?? null) : null
    if (reason !== null) throw new ReinError('refused', reason)
    await startTurn(this.#driver, this.agent, hosted, text, this.#ports.now())
  }

  async prompt(text: string, actor: Actor): Promise<void> {
    await this.wake(text, false)
    this.current.note('agent.prompted', {}, actor)
  }

  /** How it would be woken now. */
  get wayToWake(): WakeWay {
    return this.#hosted === null ? 'none' : wayToWake(this.#driver, this.agent, this.#hosted)
  }

  /** Whether a person is using its terminal, so that a restart would destroy input. */
  async isInUse(): Promise<boolean> {
    return (await this.#process().isInUse?.()) ?? false
  }

  /** The end of what it shows in its terminal; empty without a terminal of Rein's. */
  readScreen(lines: number): string {
    return this.#hosted?.readScreen(lines) ?? ''
  }

  /** Whether the call is from the agent's own process, not from a child that inherited its environment. */
  admitsCall(call: HookCall): boolean {
    if (isOwnCall(this.agent, call)) return true
    const conversation = call.conversation ?? ''
    if (!this.#foreign.has(conversation))
      this.current.note('agent.foreign', { conversation, pid: call.pid, event: call.native })
    this.#foreign.set(conversation, true)
    return false
  }

  /** Updates the agent from a call of its own process. */
  hearHook(call: HookCall): void {
    if (tellsState(call)) this.#calledAt = this.#ports.now()
    // A note is of the past, and shows no life.
    if (call.event !== 'session_end' && this.#stopsUnderWay === 0) this.questions.goesOn()
    this.#takeIn(call)
  }

  /** Updates the agent from a call that its hook client has left a note of; calls that came since know better what it does. `at`: when it gave up. */
  hearNote(call: HookCall, at: number): void {
    if (tellsState(call) && at <= this.#calledAt) return
    this.#takeIn(call)
    this.settleHook(call, emptyReply, false)
  }

  #takeIn(call: HookCall): void {
    this.current.lastHookAt = this.#ports.now()
    // A call proves that its hooks work.
    const working = { ...this.agent.health, hooks: 'heard' as const, failures: 0 }
    if (this.agent.health.hooks !== 'heard') this.current.note('agent.health', { health: working, reason: call.native })
    const evidence = hookEvidence(call)
    const isStart = call.event === 'session_start'
    if (isStart && call.source === 'compact') this.conversation.loseContext()
    if (isStart || (call.event !== 'session_end' && call.conversation !== null))
      this.conversation.enter(call.conversation ?? '', call.transcript, evidence)
    this.questions.hearHook(call)
    if (call.event === 'after_compact') this.conversation.loseContext()
    if (call.event === 'prompt' && !isWake(call) && this.agent.stopBlocks > 0)
      this.current.note('agent.stop_blocked', { count: 0 })
    this.conversation.look()
  }

  /** Updates the agent from a call that was answered. `isSaid`: the reply carries the verdict. */
  settleHook(call: HookCall, reply: HookReply, isSaid: boolean): void {
    if (tellsState(call)) this.#lastCall = call
    this.#lostEnd.heardHook(call, reply.goOn.length > 0, this.#ports.now())
    this.questions.settleHook(call, reply, isSaid)
  }

  /** Its CLI did not get the reply to this call, and has not called since: it has stopped, or asks in spite of the verdict. */
  missReply(call: HookCall, reply: HookReply): void {
    if (call !== this.#lastCall) return
    if (call.event === 'stop') this.settleHook(call, emptyReply, false)
    // A stream asks by itself then.
    if (call.event === 'permission' && this.agent.host !== 'stream') this.questions.missVerdict(call, reply)
  }

  /** Stops watching; the process runs on, and the next daemon adopts it. */
  release(): void {
    this.#lifecycle.stop()
    this.#hosted?.release()
    this.conversation.close()
  }

  get #driver(): Driver {
    return this.#ports.driver(this.agent.driver)
  }

  #process(): HostedAgent {
    if (isAlive(this.agent.state) && this.#hosted !== null) return this.#hosted
    throw notRunning(this.agent)
  }

  #hear(event: HostEvent): void {
    this.#lostEnd.heardStream(this.#ports.now())
    if (event.kind === 'exit') return this.#ended(event.code, event.evidence)
    if (event.kind === 'conversation') return this.conversation.enter(event.conversation, null, event.evidence)
    if (event.kind === 'waiter_died')
      return this.current.note('agent.health', { health: this.agent.health, reason: 'its waiter was killed' })
    if (event.kind === 'model' && isNewModel(this.agent, event.model))
      this.current.note('agent.model', { model: event.model })
    if (event.kind === 'state') {
      this.questions.hearHost(event)
      // Some CLIs create the transcript in their first turn, and the hook that names it may never come.
      const { conversation, transcript } = this.agent
      if (conversation !== null && transcript === null) this.conversation.enter(conversation, null, event.evidence)
    }
    this.conversation.look()
  }

  #ended(code: number | null, evidence: Evidence): void {
    const actor = this.#stopper ?? this.questions.ender
    this.#hosted = null
    this.questions.forget()
    this.conversation.end()
    if (actor !== null || code === 0)
      this.current.note('agent.state', { state: 'stopped', evidence, question: null }, actor ?? byRein)
    else this.#lifecycle.crashed(evidence)
    void this.#ports.endLeftovers(this.agent.id)
    const { transcript } = this.agent
    if (this.#exportTo !== null && transcript !== null) void copyFile(transcript, this.#exportTo).catch(() => undefined)
  }

  async #relaunch(how: Relaunch, env: Env): Promise<void> {
    const { actor = byRein } = how
    await this.launch(again(this.agent, this.#driver, how), this.agent.host, env, { actor })
  }
}
