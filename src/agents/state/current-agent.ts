import type { Agent, AgentState } from '../../contract/agent.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import { Waiters } from '../../base/util/waiters.ts'
import type { AgentPorts } from '../ports.ts'
import { evolve, isAgentRecord } from './evolve-agent.ts'
import { Ledger } from './ledger.ts'
import { next, type Signal } from './machine.ts'

type AgentRecordType = Extract<RecordType, `agent.${string}`>

/** What one agent is now: each change is recorded, and all watchers are told. */
export class CurrentAgent {
  readonly #ports: AgentPorts
  readonly #onState: (state: AgentState) => void
  readonly #ledger: Ledger
  readonly #waiters = new Waiters()
  #agent: Agent
  #answeredAt = 0
  lastHookAt = 0
  /** The process was started with a prompt. */
  hasFirstPrompt = false
  /** Resolves when the last record is on disk, or kept for later. */
  written: Promise<unknown> = Promise.resolve()

  /** `onState` is called after a signal has changed the state. */
  constructor(agent: Agent, ports: AgentPorts, onState: (state: AgentState) => void) {
    this.#agent = agent
    this.#ports = ports
    this.#onState = onState
    this.#ledger = new Ledger(ports)
  }

  get agent(): Agent {
    return this.#agent
  }

  note<T extends AgentRecordType>(type: T, body: RecordBody<T>, actor: Actor = byRein): void {
    const before = this.#agent
    const context = {
      id: this.#ports.newId('rec'),
      at: this.#ports.now(),
      actor,
      agent: before.id,
      project: before.project,
    }
    const record = newRecord(type, body, context) as AnyNewRecord
    if (type === 'agent.answered') this.#answeredAt = record.at
    const unplaced = { ...record, seq: 0 }
    if (isAgentRecord(unplaced)) this.#agent = evolve(before, unplaced) ?? before
    this.written = this.#ledger.write(record)
    // A watcher may note something itself: all hear of the agent as this record made it.
    const agent = this.#agent
    for (const watcher of this.#ports.watchers) watcher.onChange?.(agent, before, record)
    this.#waiters.tell()
  }

  /** Passes a signal through the state machine; only a change is recorded. `since`: when its cause happened; `actor`: who caused it. */
  apply(signal: Signal, since = this.#ports.now(), actor: Actor = byRein): void {
    const memory = { lastHookAt: this.lastHookAt, answeredAt: this.#answeredAt, hasFirstPrompt: this.hasFirstPrompt }
    const change = next(this.#agent, signal, memory, this.#ports.now())
    if (change === null) return
    const latencyMs = Math.max(0, this.#ports.now() - since)
    const { state, question, until, evidence, wasInterrupted } = change
    if (wasInterrupted) this.note('agent.interrupted', { evidence }, actor)
    this.note('agent.state', { state, evidence, question, until, latencyMs }, actor)
    this.#onState(state)
  }

  /** Resolves at the next change, or after `ms` without one. */
  async nextChange(ms: number): Promise<void> {
    await this.#waiters.next(ms)
  }

  /** Time has passed: records that could not be written may be written now. */
  tick(): void {
    void this.#ledger.tick()
  }
}
