import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Agent, type AgentState, type HostKind, isAlive, type LaunchRequest, type ProcessRef, type Question } from '../contract/agent.ts'
import type { ConversationEntry, ConversationView } from '../contract/conversation.ts'
import { ReinError } from '../contract/errors.ts'
import type { HookCall } from '../contract/hooks.ts'
import type { Answer, Host, HostedAgent, HostEvent } from '../contract/host.ts'
import type { Actor, Evidence } from '../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../contract/record.ts'
import type { Driver, LaunchContext } from '../drivers/contract.ts'
import type { CursorMove } from '../log/writer.ts'
import { parentPid } from '../util/process.ts'
import { evolve, isAgentRecord } from './agent.ts'
import { ConversationReader } from './conversation-reader.ts'
import { resolveAgent } from './directory.ts'
import { wakeSentence } from './wake.ts'

/** What the supervisor needs of the world, and whom it tells. */
export interface SupervisorPorts {
  append(records: AnyNewRecord[], cursors?: CursorMove[]): Promise<unknown>
  cursor(topic: string): number
  now(): number
  newId(prefix: string): string
  driver(name: string): Driver
  host(kind: HostKind, driver: Driver): Host
  agentDir(id: string): string
  onEntry(agent: Agent, entry: ConversationEntry): void
  onRead(agent: Agent): void
  /** The agent's context is another one now. */
  onNewContext(agent: Agent): void
  onChange(agent: Agent, before: Agent | null, record: AnyNewRecord): void
}

interface Running {
  agent: Agent
  hosted: HostedAgent | null
  reader: ConversationReader | null
  exportTo: string | null
  isStopping: boolean
  waiters: (() => void)[]
}

export interface NewAgent {
  handle: string
  project: string
  driver: Driver
  host: HostKind
  request: LaunchRequest
  context: (agent: string) => LaunchContext
}

type AgentRecordType = Extract<RecordType, `agent.${string}`>
const daemon: Actor = { kind: 'daemon' }

/** Starts, watches, takes over and ends agents. */
export class Supervisor {
  readonly #ports: SupervisorPorts
  readonly #running = new Map<string, Running>()
  readonly #foreign = new Set<string>()

  constructor(ports: SupervisorPorts, agents: readonly Agent[]) {
    this.#ports = ports
    for (const agent of agents) this.#running.set(agent.id, { agent, hosted: null, reader: null, exportTo: null, isStopping: false, waiters: [] })
  }

  get agents(): Agent[] {
    return [...this.#running.values()].map(({ agent }) => agent)
  }

  get(id: string): Agent | null {
    return this.#running.get(id)?.agent ?? null
  }

  resolve(target: string, project: string | null): Agent {
    return resolveAgent(this.agents, target, project)
  }

  conversation(id: string): ConversationView | null {
    return this.#running.get(id)?.reader?.graph ?? null
  }

  /** Takes over what outlived the last daemon; conversations are read up to date before anything else happens. */
  async adoptAll(): Promise<void> {
    for (const running of this.#running.values()) {
      this.#attachReader(running)
      if (!isAlive(running.agent.state)) continue
      const process = running.agent.process
      running.hosted = process === null ? null : await this.#adopt(running, process)
      if (running.hosted === null) this.#exited(running, null, { source: 'process', detail: 'gone while no daemon was running' })
    }
  }

  async up(given: NewAgent): Promise<Agent> {
    const existing = this.agents.find((one) => one.project === given.project && one.handle === given.handle)
    if (existing !== undefined && isAlive(existing.state)) {
      throw new ReinError('handle_taken', `${given.handle} is running already (${existing.state}).`, `Stop it first: rein down ${given.handle}`)
    }
    const running = existing === undefined ? await this.#create(given) : this.#get(existing.id)
    await this.#launch(running, given)
    await this.#untilReady(running)
    return running.agent
  }

  async down(id: string, timeoutMs: number): Promise<Agent> {
    const running = this.#alive(id)
    running.isStopping = true
    await running.hosted?.stop(timeoutMs)
    await this.#until(running, () => !isAlive(running.agent.state), timeoutMs)
    return running.agent
  }

  async answer(id: string, answer: Answer): Promise<Agent> {
    const running = this.#alive(id)
    const { question } = running.agent
    if (question === null) throw new ReinError('nothing_to_answer', `${running.agent.handle} is not waiting for an answer (${running.agent.state}).`)
    await running.hosted?.answer(question, answer)
    this.#setState(running, 'working', { source: 'command', detail: `answered: ${answer.kind}` }, null)
    return running.agent
  }

  async interrupt(id: string): Promise<Agent> {
    const running = this.#alive(id)
    await running.hosted?.interrupt()
    this.#note(running, 'agent.interrupted', { evidence: { source: 'command', detail: 'rein interrupt' } })
    return running.agent
  }

  async wake(id: string): Promise<void> {
    await this.#alive(id).hosted?.wake(wakeSentence)
  }

  /** Is this call from the agent it names, and not from something that inherited its environment? */
  admits(call: HookCall): boolean {
    const running = call.agent === null ? undefined : this.#running.get(call.agent)
    if (running === undefined || call.conversation === null) return false
    if (this.#isOwn(running.agent, call)) return true
    this.#noteForeign(running, call)
    return false
  }

  /** Takes from a call of the agent itself what it says about the agent. */
  heed(call: HookCall): void {
    const running = this.#running.get(call.agent ?? '')
    if (running === undefined || call.conversation === null) return
    const evidence: Evidence = { source: 'hook', conversation: call.conversation, detail: call.native }
    if (call.event === 'session_start') this.#bind(running, call, evidence)
    if (call.event === 'session_start' && running.agent.state === 'starting') this.#setState(running, 'idle', evidence, null)
    if (call.event === 'after_compact') this.#ports.onNewContext(running.agent)
    if (call.event === 'prompt' && call.prompt !== wakeSentence) this.#resetStops(running)
    running.reader?.look()
  }

  stopBlocks(id: string): number {
    return this.get(id)?.stopBlocks ?? 0
  }

  noteStopBlock(id: string): void {
    const running = this.#running.get(id)
    if (running !== undefined) this.#note(running, 'agent.stop_blocked', { count: running.agent.stopBlocks + 1 })
  }

  async catchUp(id: string, ms: number): Promise<void> {
    await this.#running.get(id)?.reader?.settle(ms)
  }

  /** Lets every agent run on; the next daemon takes them over. */
  release(): void {
    for (const { hosted, reader } of this.#running.values()) {
      hosted?.release()
      reader?.close()
    }
  }

  async #create({ handle, project, driver, host, request }: NewAgent): Promise<Running> {
    const id = this.#ports.newId('agt')
    const now = this.#ports.now()
    const agent: Agent = {
      ...{ id, project, handle, driver: driver.name, version: '', host, cwd: request.cwd, state: 'stopped', since: now },
      ...{ evidence: null, process: null, conversation: null, transcript: null, question: null },
      ...{ stopBlocks: 0, interruptedAt: null, createdAt: now },
    }
    const record = this.#record(agent, 'agent.created', { agent })
    await this.#ports.append([record])
    const running: Running = { agent, hosted: null, reader: null, exportTo: null, isStopping: false, waiters: [] }
    this.#running.set(id, running)
    this.#ports.onChange(agent, null, record)
    return running
  }

  async #launch(running: Running, { driver, host, request, context }: NewAgent): Promise<void> {
    const ready = context(running.agent.id)
    const plan = driver.launch(continued(request, running.agent), ready)
    running.isStopping = false
    running.exportTo = request.export ?? null
    running.hosted = await this.#ports.host(host, driver).start(this.#ports.agentDir(running.agent.id), plan, (event) => this.#hostEvent(running, event))
    const transcript = plan.conversation === null ? null : driver.transcript.locate(plan.conversation, plan.cwd, plan.env)
    const isOther = plan.conversation !== running.agent.conversation
    this.#note(running, 'agent.launched', {
      process: running.hosted.process,
      version: ready.installed.version,
      cwd: plan.cwd,
      conversation: plan.conversation,
      transcript,
      request: { ...request, env: {} },
    })
    if (isOther) this.#ports.onNewContext(running.agent)
    this.#attachReader(running)
  }

  #adopt(running: Running, process: ProcessRef): Promise<HostedAgent | null> {
    const { agent } = running
    const driver = this.#ports.driver(agent.driver)
    return this.#ports.host(agent.host, driver).adopt(this.#ports.agentDir(agent.id), process, (event) => this.#hostEvent(running, event))
  }

  #hostEvent(running: Running, event: HostEvent): void {
    if (event.kind === 'exit') return this.#exited(running, event.code, event.evidence)
    if (event.kind === 'conversation') return this.#converse(running, event.conversation, null, event.evidence)
    if (event.kind === 'state') this.#setState(running, event.state, event.evidence, event.question)
    running.reader?.look()
  }

  #exited(running: Running, code: number | null, evidence: Evidence): void {
    running.hosted = null
    running.reader?.look()
    running.reader?.endTurn('exit')
    const state = running.isStopping || code === 0 ? 'stopped' : 'crashed'
    this.#setState(running, state, evidence, null)
    const { transcript } = running.agent
    if (running.exportTo !== null && transcript !== null) void copyFile(transcript, running.exportTo).catch(() => undefined)
  }

  #setState(running: Running, state: AgentState, evidence: Evidence, question: Question | null): void {
    const { agent } = running
    if (agent.state === state && agent.question?.id === question?.id) return
    if (!isAlive(agent.state) && isAlive(state)) return
    this.#note(running, 'agent.state', { state, evidence, question })
    if (state === 'idle') running.reader?.endTurn('idle')
  }

  /** A call is the agent's own if its process made it; where no pid is told, if it is of its conversation. */
  #isOwn(agent: Agent, call: HookCall): boolean {
    if (call.pid === null) return call.conversation === agent.conversation
    if (call.pid === agent.process?.pid) return true
    return call.conversation === agent.conversation && parentPid(call.pid) === agent.process?.pid
  }

  #noteForeign(running: Running, call: HookCall): void {
    const conversation = call.conversation ?? ''
    if (this.#foreign.has(conversation)) return
    this.#foreign.add(conversation)
    this.#note(running, 'agent.foreign', { conversation, pid: call.pid, event: call.native })
  }

  #bind(running: Running, call: HookCall, evidence: Evidence): void {
    if (call.source === 'compact') this.#ports.onNewContext(running.agent)
    this.#converse(running, call.conversation ?? '', call.transcript, evidence)
  }

  #converse(running: Running, conversation: string, transcript: string | null, evidence: Evidence): void {
    const { agent } = running
    const path = transcript ?? (agent.conversation === conversation ? agent.transcript : this.#locate(agent, conversation))
    if (path === null || (agent.conversation === conversation && agent.transcript === path)) return
    this.#note(running, 'agent.conversation', { conversation, transcript: path, evidence })
    if (agent.conversation !== null && agent.conversation !== conversation) this.#ports.onNewContext(running.agent)
    this.#attachReader(running)
  }

  #locate(agent: Agent, conversation: string): string | null {
    return agent.transcript === null ? null : join(agent.transcript, '..', `${conversation}.jsonl`)
  }

  #attachReader(running: Running): void {
    running.reader?.close()
    running.reader = null
    const { agent } = running
    if (agent.conversation === null || agent.transcript === null) return
    const topic = `file:${agent.transcript}`
    const cursor = this.#ports.cursor(topic)
    running.reader = new ConversationReader(agent, agent.conversation, agent.transcript, this.#ports.driver(agent.driver), {
      cursor,
      onTurns: (records, position) => void this.#ports.append(records, [{ reader: 'turns', topic, position }]).catch(() => undefined),
      onEntry: (entry) => this.#ports.onEntry(running.agent, entry),
      onRead: () => this.#ports.onRead(running.agent),
    })
  }

  #resetStops(running: Running): void {
    if (running.agent.stopBlocks > 0) this.#note(running, 'agent.stop_blocked', { count: 0 })
  }

  #note<T extends AgentRecordType>(running: Running, type: T, body: RecordBody<T>): void {
    const before = running.agent
    const record = this.#record(before, type, body)
    const withSeq = { ...record, seq: 0 }
    if (isAgentRecord(withSeq)) running.agent = evolve(before, withSeq) ?? before
    void this.#ports.append([record]).catch(() => undefined)
    this.#ports.onChange(running.agent, before, record)
    for (const wake of running.waiters.splice(0)) wake()
  }

  #record<T extends AgentRecordType>({ id, project }: Agent, type: T, body: RecordBody<T>): AnyNewRecord {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: daemon, agent: id, project }
    return newRecord(type, body, context) as AnyNewRecord
  }

  async #untilReady(running: Running): Promise<void> {
    await this.#until(running, () => running.agent.state !== 'starting', 15_000)
    if (isAlive(running.agent.state)) return
    throw new ReinError('failed', `${running.agent.handle} ended at once (${running.agent.evidence?.detail ?? 'no reason known'}).`, `See: rein logs ${running.agent.handle}`)
  }

  async #until(running: Running, done: () => boolean, ms: number): Promise<void> {
    const deadline = this.#ports.now() + ms
    while (!done() && this.#ports.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - this.#ports.now())
        running.waiters.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  #get(id: string): Running {
    const running = this.#running.get(id)
    if (running === undefined) throw new ReinError('unknown_agent', `There is no agent ${id}.`)
    return running
  }

  #alive(id: string): Running {
    const running = this.#get(id)
    if (isAlive(running.agent.state) && running.hosted !== null) return running
    throw new ReinError('not_running', `${running.agent.handle} is not running (${running.agent.state}).`, `Start it: rein up ${running.agent.handle} --continue`)
  }
}

/** An agent goes on with its own conversation, not with whichever was the newest in its directory. */
const continued = (request: LaunchRequest, agent: Agent): LaunchRequest => {
  if (request.continue !== true || agent.conversation === null) return request
  const { continue: _, ...rest } = request
  return { ...rest, resume: agent.conversation }
}
