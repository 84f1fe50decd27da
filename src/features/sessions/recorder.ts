import { setTimeout as delay } from 'node:timers/promises'
import type { HookCall, Responder } from '../../contract/hooks.ts'
import type { AgentRef } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { SnapshotCause } from '../../contract/session.ts'
import { kindOf, type ToolKind, type WithTools } from '../../drivers/tool-kinds.ts'
import type { Shadow, Snapshot } from './snapshots/shadow.ts'

export interface RecorderPorts {
  append: (records: AnyNewRecord[]) => Promise<unknown>
  agent: (id: string) => (AgentRef & { cwd: string; conversation: string | null }) | null
  driver: (name: string) => WithTools
  /** The snapshots of the work tree that this directory is in. */
  shadow: (cwd: string) => Promise<Shadow>
  now: () => number
  newId: (prefix: string) => string
  onTrouble: (cause: unknown) => void
}

interface Progress {
  done: number
  total: number
}

/** A snapshot that somebody wants. */
interface Wanted {
  agent: AgentRef
  conversation: string
  cwd: string
  cause: SnapshotCause
  at: number
  /** No tool has run since it was asked for. */
  isClean: boolean
}

/** What is being taken for one agent, and what waits for that. */
interface Queue {
  wanted: Set<Wanted>
  done: Promise<void>
}

/** The longest that a tool is kept waiting: after that it runs, and the snapshots say so. */
const gateMs = 120
const beginMs = 3
const prepareMs = 10_000
/** A tree that could not be saved is not tried again at each tool. */
const troubleMs = 60_000
/** More of what was left out would fill the log: it is in each record. */
const mostSkipped = 100

/** Tools of these kinds change no file, and do not wait for anybody who does. */
const harmless: readonly ToolKind[] = ['read', 'fetch', 'none']

/** Takes a snapshot of an agent's files at each prompt, after what may have changed them, and at each stop. */
export class Recorder {
  readonly #ports: RecorderPorts
  readonly #queues = new Map<string, Queue>()
  readonly #progress = new Map<string, Progress>()
  readonly #troubles = new Map<string, { at: number; reason: string }>()
  /** Of which agents something was saved after their last stop. */
  readonly #underWay = new Set<string>()

  constructor(ports: RecorderPorts) {
    this.#ports = ports
  }

  /** Nobody waits but a tool: what it changes must not get into a snapshot of what was before it. */
  get responder(): Responder {
    return {
      name: 'snapshots',
      events: ['session_start', 'prompt', 'before_tool', 'after_tool', 'after_batch', 'stop'],
      order: 90,
      deadlineMs: 150,
      respond: async (call) => {
        if (call.agent === null) return {}
        if (call.event === 'before_tool') await this.#gate(call.agent, call)
        else if (call.event === 'session_start') this.#warmUp(call.agent)
        else this.#heed(call.agent, call)
        return {}
      },
    }
  }

  /** It has come to rest: interrupted, killed or crashed, no hook has told so. */
  rested(agent: string): void {
    if (this.#underWay.has(agent)) this.#want(agent, 'stop')
  }

  /** The first look at a large tree takes its time: who is about to start an agent there waits for it, but not for long. */
  async prepare(cwd: string): Promise<void> {
    const look = this.#ports.shadow(cwd).then((shadow) => shadow.snapshot())
    const looked = look.catch((cause: unknown) => this.#ports.onTrouble(cause))
    await Promise.race([looked, delay(prepareMs, undefined, { ref: false })])
  }

  /** Resolves when nothing is being taken for this agent any more. */
  async settled(agent: string): Promise<void> {
    for (let queue = this.#queues.get(agent); queue !== undefined; queue = this.#queues.get(agent)) await queue.done
  }

  /** How far a snapshot of this agent's files is; null if none is being taken, or nobody could notice. */
  progressOf(agent: string): Progress | null {
    return this.#progress.get(agent) ?? null
  }

  /** Why the files of this agent were not saved, last time; null if they were. */
  troubleOf(agent: string): string | null {
    return this.#troubles.get(agent)?.reason ?? null
  }

  /** Where a turn begins or ends counts: a tool waits for that. What another tool did is only marked. */
  async #gate(agent: string, call: HookCall): Promise<void> {
    const queue = this.#queues.get(agent)
    if (queue === undefined || !this.#mayChange(call)) return
    const isWaitedFor = [...queue.wanted].some(({ cause }) => cause !== 'tool')
    if (isWaitedFor) await Promise.race([queue.done, delay(gateMs, undefined, { ref: false })])
    for (const one of queue.wanted) one.isClean = false
  }

  /** For an agent that somebody else has started: mostly it is over before the first prompt comes. */
  #warmUp(agent: string): void {
    const known = this.#ports.agent(agent)
    if (known === null) return
    void this.#snapshot(agent, known.cwd).catch((cause: unknown) => this.#ports.onTrouble(cause))
  }

  #heed(agent: string, call: HookCall): void {
    const cause = this.#causeOf(call)
    if (cause !== null) this.#want(agent, cause)
  }

  /** A sub-agent's tools change files, too; its prompts and stops are not the agent's. */
  #causeOf(call: HookCall): SnapshotCause | null {
    if (call.event === 'after_tool' || call.event === 'after_batch') return this.#mayChange(call) ? 'tool' : null
    if (call.subagent !== null) return null
    return call.event === 'prompt' ? 'prompt' : 'stop'
  }

  #mayChange({ driver: name, tools }: HookCall): boolean {
    const driver = this.#ports.driver(name)
    return tools.length === 0 || tools.some((tool) => !harmless.includes(kindOf(driver, tool.name)))
  }

  #want(agent: string, cause: SnapshotCause): void {
    const known = this.#ports.agent(agent)
    if (known === null || known.conversation === null || this.#isHopeless(agent)) return
    const { id, project, handle, cwd, conversation } = known
    const at = this.#ports.now()
    if (cause === 'stop') this.#underWay.delete(agent)
    else this.#underWay.add(agent)
    this.#add({ agent: { id, project, handle }, conversation, cwd, cause, at, isClean: true })
  }

  #isHopeless(agent: string): boolean {
    const trouble = this.#troubles.get(agent)
    return trouble !== undefined && this.#ports.now() - trouble.at < troubleMs
  }

  #add(wanted: Wanted): void {
    const { id } = wanted.agent
    const queue = this.#queues.get(id)
    if (queue !== undefined) return void queue.wanted.add(wanted)
    const begun: Queue = { wanted: new Set([wanted]), done: Promise.resolve() }
    this.#queues.set(id, begun)
    begun.done = this.#work(id, begun)
  }

  /** All who ask before a snapshot begins share it: one that has begun may have missed what they mean. */
  async #work(agent: string, queue: Queue): Promise<void> {
    // The hook is answered before git begins to take the processor.
    await delay(beginMs)
    while (queue.wanted.size > 0) {
      const batch = [...queue.wanted]
      await this.#write(agent, batch)
      for (const one of batch) queue.wanted.delete(one)
    }
    this.#queues.delete(agent)
  }

  async #write(agent: string, batch: readonly Wanted[]): Promise<void> {
    try {
      const { tree, taken } = await this.#snapshot(agent, batch[0]?.cwd ?? '')
      await this.#ports.append(batch.map((one) => this.#record(one, tree, taken)))
      this.#troubles.delete(agent)
    } catch (cause) {
      this.#troubles.set(agent, {
        at: this.#ports.now(),
        reason: cause instanceof Error ? cause.message : String(cause),
      })
      this.#ports.onTrouble(cause)
    }
  }

  async #snapshot(agent: string, cwd: string): Promise<{ tree: string; taken: Snapshot }> {
    const shadow = await this.#ports.shadow(cwd)
    const onProgress = (progress: Progress): void => void this.#progress.set(agent, progress)
    const taken = await shadow.snapshot({ onProgress }).finally(() => this.#progress.delete(agent))
    return { tree: shadow.tree, taken }
  }

  #record({ agent, conversation, cause, at, isClean }: Wanted, root: string, taken: Snapshot): AnyNewRecord {
    const { id, tree, head, branch } = taken
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: { kind: 'daemon' as const } }
    const snapshot = { id, tree, head, branch }
    return newRecord(
      'session.snapshot',
      { conversation, cause, at, isClean, root, snapshot, skipped: mostOf(taken.skipped) },
      { ...context, agent: agent.id, project: agent.project },
    )
  }
}

const mostOf = (skipped: Snapshot['skipped']): { path: string; reason: string; bytes: number | null }[] =>
  skipped.length <= mostSkipped
    ? skipped
    : [
        ...skipped.slice(0, mostSkipped),
        { path: `and ${skipped.length - mostSkipped} more`, reason: 'more', bytes: null },
      ]
