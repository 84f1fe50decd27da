import { ReinError } from '../../contract/errors.ts'
import { type Actor, byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody, type RecordType } from '../../contract/record.ts'
import type { BusEvent, Decision, NumberedDecision } from '../../contract/team.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { Serial } from '../../base/util/serial.ts'
import { after } from '../../base/util/timer.ts'
import { checkText } from './check-text.ts'
import type { CommandResult } from './command.ts'
import {
  countDecisions,
  decidedAt,
  decidingProjects,
  findCheckpoint,
  findDecision,
  newestCheckpoint,
  newestDecisions,
} from './store.ts'

interface CheckpointPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  /** The record of the event that says so, under this id. */
  eventRecord(due: DueCheckpoint): AnyNewRecord
  /** That event, once it is written down. */
  event(id: string): BusEvent | null
  runCommand(command: string, event: BusEvent, signal: AbortSignal): Promise<CommandResult>
  now(): number
  newId(prefix: string): string
  /** This daemon has recorded the event: its recipients are to be told. */
  onDue(event: string): void
  onTrouble(where: string, cause: unknown): void
}

export interface CheckpointSettings {
  /** After so many decisions; 0 is never. */
  every: number
  /** So long after a decision that is in no checkpoint yet; 0 is never. */
  everyMs: number
  /** Run for each checkpoint. */
  command: string | null
}

export interface DueCheckpoint {
  event: string
  project: string
  bucket: number
  /** How many decisions there are. */
  decisions: number
}

interface DecisionQuery {
  /** Only the newest so many. */
  last?: number | undefined
  /** Only those that hold this text, in any case. */
  search?: string | undefined
}

const maxTextBytes = 16_384

/** A clock is not looked at more often than this. */
const shortestWaitMs = 10_000

/** Keeps decisions, and publishes a checkpoint after every so many of them, or after some time. */
export class Checkpoints {
  readonly #ports: CheckpointPorts
  readonly #settings: CheckpointSettings
  readonly #ending = new AbortController()
  /** Each job sees the count that the one before it has left. */
  readonly #queue = new Serial()
  #cancel: () => void = () => undefined

  constructor(ports: CheckpointPorts, settings: CheckpointSettings) {
    this.#ports = ports
    this.#settings = settings
  }

  start(): void {
    void this.catchUp().finally(() => this.#arm())
  }

  /** A command that runs is ended; the next daemon runs it again. */
  stop(): void {
    this.#cancel()
    this.#ending.abort()
  }

  /** Resolves when it is on disk, with the event of the checkpoint that it brought about, if any. */
  async log(
    project: string,
    text: string,
    actor: Actor,
  ): Promise<{ decision: NumberedDecision; checkpoint: string | null }> {
    if (text.trim() === '') throw new ReinError('empty_text', 'There is no text in the decision.')
    checkText(text, 'text', maxTextBytes, 'Say what was decided in a few words, and where the rest is written.')
    return this.#queue.run(async () => {
      const given: Decision = { id: this.#ports.newId('dec'), project, text, by: actor, at: this.#ports.now() }
      await this.#ports.append([this.#record('decision.logged', { decision: given }, project, actor)])
      const decision = findDecision(this.#ports.reader, given.id)
      if (decision === undefined) throw new ReinError('failed', `The decision ${given.id} is not there.`)
      const checkpoint = await this.#count(project, decision.n, given.id).catch(this.#trouble)
      this.#arm()
      return { decision, checkpoint }
    })
  }

  /** Oldest first. */
  list(project: string, { last, search }: DecisionQuery = {}): { decisions: NumberedDecision[]; total: number } {
    const { reader } = this.#ports
    const total = countDecisions(reader, project)
    const wanted = search?.toLowerCase()
    const all = newestDecisions(reader, project, wanted === undefined ? (last ?? total) : total)
    const found = wanted === undefined ? all : all.filter(({ text }) => text.toLowerCase().includes(wanted))
    return { decisions: found.slice(0, last).toReversed(), total }
  }

  /** Publishes checkpoints that were missed, once in each project, and runs again a command that was cut off. */
  async catchUp(): Promise<void> {
    const { reader } = this.#ports
    for (const project of decidingProjects(reader))
      await this.#queue.run(async () => {
        const open = newestCheckpoint(reader, project)
        const count = countDecisions(reader, project)
        const event = await this.#count(project, count, this.#ports.newId('look')).catch(this.#trouble)
        if (event === null && open !== undefined && !open.isHandled) this.#handle(open.event)
      })
  }

  /** Publishes checkpoints that are due by the clock. */
  async look(): Promise<void> {
    const { reader } = this.#ports
    const look = async (project: string): Promise<void> => {
      if (this.#dueAt(project) > this.#ports.now()) return
      const decisions = countDecisions(reader, project)
      await this.#due(project, decisions, decisions, this.#ports.newId('look'))
    }
    for (const project of decidingProjects(reader)) await this.#queue.run(() => look(project).catch(this.#trouble))
  }

  /** When the oldest decision that is in no checkpoint has waited long enough. */
  #dueAt(project: string): number {
    const { reader } = this.#ports
    const at = decidedAt(reader, project, (newestCheckpoint(reader, project)?.decisions ?? 0) + 1)
    return at === null ? Number.POSITIVE_INFINITY : at + this.#settings.everyMs
  }

  /** One timer for all projects. */
  #arm(): void {
    this.#cancel()
    if (this.#settings.everyMs === 0 || this.#ending.signal.aborted) return
    const times = decidingProjects(this.#ports.reader).map((project) => this.#dueAt(project))
    const next = Math.min(...times)
    if (next === Number.POSITIVE_INFINITY) return
    const wait = Math.max(next - this.#ports.now(), shortestWaitMs)
    this.#cancel = after(wait, () => void this.look().finally(() => this.#arm()))
  }

  /** Whether so many decisions have filled another bucket since the last checkpoint. */
  async #count(project: string, decisions: number, cause: string): Promise<string | null> {
    const { every } = this.#settings
    if (every === 0) return null
    const counted = newestCheckpoint(this.#ports.reader, project)?.decisions ?? 0
    const bucket = Math.floor(decisions / every)
    return bucket > Math.floor(counted / every) ? this.#due(project, bucket * every, decisions, cause) : null
  }

  /** Named by the decision at which it is due, so that a second daemon, or one after a crash, writes nothing. */
  async #due(project: string, at: number, decisions: number, cause: string): Promise<string | null> {
    const { every } = this.#settings
    const due = {
      event: `evt_checkpoint_${project}_${at}`,
      bucket: every === 0 ? 0 : Math.floor(decisions / every),
      decisions,
    }
    const record = this.#record('checkpoint.due', due, project, byRein, cause)
    const event = this.#ports.eventRecord({ ...due, project })
    await this.#ports.append([{ ...record, id: `checkpoint_${project}_${at}` }, event])
    if (findCheckpoint(this.#ports.reader, due.event)?.cause !== cause) return null
    this.#ports.onDue(due.event)
    this.#handle(due.event)
    return due.event
  }

  /** Runs the command in the background. */
  #handle(id: string): void {
    const { command } = this.#settings
    const event = command === null ? null : this.#ports.event(id)
    if (command === null || event === null) return
    const run = async (): Promise<void> => {
      const { signal } = this.#ending
      const result = await this.#ports.runCommand(command, event, signal)
      if (signal.aborted) return
      const body = { event: event.id, ...result }
      await this.#ports.append([this.#record('checkpoint.handled', body, event.project, byRein)])
    }
    void run().catch(this.#trouble)
  }

  #record<T extends RecordType>(type: T, body: RecordBody<T>, project: string, actor: Actor, cause?: string) {
    const agent = actor.kind === 'agent' ? actor.id : null
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor, agent, project }
    return newRecord(type, body, cause === undefined ? context : { ...context, cause }) as AnyNewRecord
  }

  readonly #trouble = (cause: unknown): null => {
    this.#ports.onTrouble('checkpoint', cause)
    return null
  }
}
