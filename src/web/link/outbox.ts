import { signal } from '@preact/signals'
import type { Priority } from '../../contract/directive.ts'
import { type ErrorCode, ReinError } from '../../contract/errors.ts'
import type { Told } from '../../contract/routes/directives.ts'

/** What a person told an agent, until the daemon has it. Its id is made here: sent twice, it is one directive. */
export interface Outgoing {
  id: string
  project: string
  handle: string
  text: string
  priority: Priority
  expiresInMs: number | null
  writtenAt: number
}

interface OutboxPorts {
  readAll(): Promise<Outgoing[]>
  put(outgoing: Outgoing): Promise<void>
  remove(id: string): Promise<void>
  tell(outgoing: Outgoing): Promise<Told>
  now(): number
  /** The daemon does not take it: the person gets the text back. */
  onRefused(outgoing: Outgoing, error: unknown): void
}

/** Whoever gets one of these does not know whether the daemon has it: the same id is sent again. */
const unknowing: readonly ErrorCode[] = ['unavailable', 'not_in_time']

/** Keeps what is told while there is no connection, also over a reload, and sends each once. */
export class Outbox {
  readonly waiting = signal<readonly Outgoing[]>([])
  /** What the daemon said to each that it took. */
  readonly told = signal<ReadonlyMap<string, Told>>(new Map())
  readonly #ports: OutboxPorts
  readonly #underWay = new Set<string>()

  constructor(ports: OutboxPorts) {
    this.#ports = ports
  }

  /** What an earlier visit has left. */
  async load(): Promise<void> {
    const kept = await this.#ports.readAll()
    const known = new Set(this.waiting.value.map(({ id }) => id))
    const added = [...this.waiting.value, ...kept.filter(({ id }) => !known.has(id))]
    this.waiting.value = added.toSorted((a, b) => a.writtenAt - b.writtenAt)
  }

  async add(outgoing: Outgoing): Promise<void> {
    this.waiting.value = [...this.waiting.value, outgoing]
    await this.#ports.put(outgoing)
    await this.#send(outgoing)
  }

  /** There is a connection: everything goes out, in the order in which it was written. */
  async flush(): Promise<void> {
    for (const outgoing of this.waiting.value) await this.#send(outgoing)
  }

  async discard(id: string): Promise<void> {
    this.waiting.value = this.waiting.value.filter((each) => each.id !== id)
    await this.#ports.remove(id)
  }

  async #send(outgoing: Outgoing): Promise<void> {
    const { id } = outgoing
    if (this.#underWay.has(id)) return
    this.#underWay.add(id)
    try {
      const told = await this.#ports.tell(this.#withTimeLeft(outgoing))
      this.told.value = new Map([...this.told.value, [id, told]])
      await this.discard(id)
    } catch (cause) {
      if (cause instanceof ReinError && unknowing.includes(cause.code)) return
      await this.discard(id)
      this.#ports.onRefused(outgoing, cause)
    } finally {
      this.#underWay.delete(id)
    }
  }

  /** Its time began when it was written. */
  #withTimeLeft(outgoing: Outgoing): Outgoing {
    const { expiresInMs, writtenAt } = outgoing
    if (expiresInMs === null) return outgoing
    const leftMs = writtenAt + expiresInMs - this.#ports.now()
    if (leftMs <= 0) throw new ReinError('not_found', 'It expired before there was a connection.')
    return { ...outgoing, expiresInMs: leftMs }
  }
}
