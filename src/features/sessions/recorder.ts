import { setTimeout as delay } from 'node:timers/promises'
import type { HookCall, Responder } from '../../contract/hooks.ts'
import { type AgentRef, byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../contract/record.ts'
import type { SnapshotCause } from '../../contract/session.ts'
import { kindOf, type ToolKind, type WithTools } from '../../drivers/tool-kinds.ts'
import { errorMessage } from '../../base/util/error-message.ts'
import type { Shadow, Snapshot } from './snapshots/shadow.ts'

interface RecorderPorts {
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

/** A snapshot that was asked for. */
interface Wanted {
  agent: AgentRef
  conversation: string
  cwd: string
  cause: SnapshotCause
  at: number
  /** No tool has run since it was asked for. */
  isClean: boolean
}

/** The snapshots that are being taken for one agent, and those that wait. */
interface Queue {
  wanted: Set<Wanted>
  done: Promise<void>
}

/** The longest that a tool waits: after that it runs, and the snapshot is marked as not clean. */
const gateMs = 120
const beginMs = 3
const prepareMs = 10_000
/** After a failure, no snapshot is tried for this long. */
const troubleMs = 60_000
/** Every record lists the skipped paths, so a longer list would fill the log. */
const mostSkipped = 100

/** Tools of these kinds change no file, so they need no snapshot and do not wait for one. */
const harmless: readonly ToolKind[] = ['read', 'fetch', 'none']

/** Takes a snapshot of an agent's files at each prompt, after what may have changed them, and at each stop. */
export class Recorder {
  readonly #ports: RecorderPorts
  readonly #queues = new Map<string, Queue>()
  readonly #progress = new Map<string, Progress>()
  readonly #troubles = new Map<string, { at: number; reason: string }>()
  /** The agents that had a snapshot since their last stop. */
  readonly #underWay = new Set<string>()

  constructor(ports: RecorderPorts) {
    this.#ports = ports
  }

  /** Only a tool waits: its changes must not get into a snapshot of the state before it. */
  get responder(): Responder {
    return {
      name: 'snapshots',
      events: ['session_start', 'prompt', 'before_tool', 'after_tool', 'after_batch', 'stop'],
      deadlineMs: 150,
      respond: async (call) => {
        if (call.agent === null) return {}
        if (call.event === 'before_tool') await this.#gate(call.agent, call)
        else if (call.event === 'session_start') this.#warmUp(call.agent)
        else if (call.event === 'after_tool' || call.event === 'after_batch') {
          if (this.#mayChange(call)) this.#want(call.agent, 'tool')
          // The tools of a sub-agent change files, too, but its prompts and stops are not the agent's.
        } else if (call.subagent === null) this.#want(call.agent, call.event === 'prompt' ? 'prompt' : 'stop')
        return {}
      },
    }
  }

  /** The agent came to rest without a stop hook: it was interrupted, killed or crashed. */
  rested(agent: string): void {
    if (this.#underWay.has(agent)) this.#want(agent, 'stop')
  }

  /** Takes a first snapshot before an agent starts, since that takes long in a large tree. Waits for it only so long. */
  async prepare(cwd: string): Promise<void> {
    const look = this.#ports.shadow(cwd).then((shadow) => shadow.snapshot())
    const looked = look.catch((cause: unknown) => this.#ports.onTrouble(cause))
    await Promise.race([looked, delay(prepareMs, undefined, { ref: false })])
  }

  /** Resolves when no snapshot is being taken for this agent. */
  async settled(agent: string): Promise<void> {
    for (let queue = this.#queues.get(agent); queue !== undefined; queue = this.#queues.get(agent)) await queue.done
  }

  /** Progress of the snapshot that is being taken; null if there is none, or it is quick. */
  progressOf(agent: string): Progress | null {
    return this.#progress.get(agent) ?? null
  }

  /** Why the last snapshot of this agent failed; null if it did not. */
  troubleOf(agent: string): string | null {
    return this.#troubles.get(agent)?.reason ?? null
  }

  /** A tool waits for the snapshot of a prompt or a stop. A snapshot after another tool is only marked as not clean. */
  async #gate(agent: string, call: HookCall): Promise<void> {
    const queue = this.#queues.get(agent)
    if (queue === undefined || !this.#mayChange(call)) return
    const isWaitedFor = [...queue.wanted].some(({ cause }) => cause !== 'tool')
    if (isWaitedFor) await Promise.race([queue.done, delay(gateMs, undefined, { ref: false })])
    for (const one of queue.wanted) one.isClean = false
  }

  /** An agent that Rein did not start gets its first snapshot here, mostly before its first prompt. */
  #warmUp(agent: string): void {
    const known = this.#ports.agent(agent)
    if (known === null) return
    void this.#snapshot(agent, known.cwd).catch((cause: unknown) => this.#ports.onTrouble(cause))
  }

  #mayChange({ driver: name, tools }: HookCall): boolean {
    const driver = this.#ports.driver(name)
    return tools.length === 0 || tools.some((tool) => !harmless.includes(kindOf(driver, tool.name)))
  }

  #want(agent: string, cause: SnapshotCause): void {
    const known = this.#ports.agent(agent)
    const trouble = this.#troubles.get(agent)
    const at = this.#ports.now()
    if (known === null || known.conversation === null) return
    if (trouble !== undefined && at - trouble.at < troubleMs) return
    const { id, project, handle, cwd, conversation } = known
    if (cause === 'stop') this.#underWay.delete(agent)
    else this.#underWay.add(agent)
    const wanted = { agent: { id, project, handle }, conversation, cwd, cause, at, isClean: true }
    const queue = this.#queues.get(id)
    if (queue !== undefined) return void queue.wanted.add(wanted)
    const begun: Queue = { wanted: new Set([wanted]), done: Promise.resolve() }
    this.#queues.set(id, begun)
    begun.done = this.#work(id, begun)
  }

  /** Requests share a snapshot that has not begun yet; one that has begun may miss their changes. */
  async #work(agent: string, queue: Queue): Promise<void> {
    // Lets the hook be answered before git uses the processor.
    await delay(beginMs)
    while (queue.wanted.size > 0) {
      const batch = [...queue.wanted]
      try {
        const { tree, taken } = await this.#snapshot(agent, batch[0]?.cwd ?? '')
        await this.#ports.append(batch.map((one) => this.#record(one, tree, taken)))
        this.#troubles.delete(agent)
      } catch (cause) {
        this.#troubles.set(agent, { at: this.#ports.now(), reason: errorMessage(cause) })
        this.#ports.onTrouble(cause)
      }
      for (const one of batch) queue.wanted.delete(one)
    }
    this.#queues.delete(agent)
  }

  async #snapshot(agent: string, cwd: string): Promise<{ tree: string; taken: Snapshot }> {
    const shadow = await this.#ports.shadow(cwd)
    const onProgress = (progress: Progress): void => void this.#progress.set(agent, progress)
    const taken = await shadow.snapshot({ onProgress }).finally(() => this.#progress.delete(agent))
    return { tree: shadow.tree, taken }
  }

  #record({ agent, conversation, cause, at, isClean }: Wanted, root: string, taken: Snapshot): AnyNewRecord {
    const { id, tree, head, branch } = taken
    const skipped: RecordBody<'session.snapshot'>['skipped'] = taken.skipped.slice(0, mostSkipped)
    const more = taken.skipped.length - mostSkipped
    if (more > 0) skipped.push({ path: `and ${more} more`, reason: 'more', bytes: null })
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: byRein }
    return newRecord(
      'session.snapshot',
      { conversation, cause, at, isClean, root, snapshot: { id, tree, head, branch }, skipped },
      { ...context, agent: agent.id, project: agent.project },
    )
  }
}
