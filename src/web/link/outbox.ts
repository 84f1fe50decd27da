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
  /** It was sent, and no answer came: the daemon may have it. */
  wasTried?: true
}

interface OutboxPorts {
  readAll(): Promise<Outgoing[]>
  put(outgoing: Outgoing): Promise<void>
  remove(id: string): Promise<void>
  isOpen(): boolean
  tell(outgoing: Outgoing): Promise<Told>
  now(): number
  /** The daemon does not take it: the person gets the text back. */
  onRefused(outgoing: Outgoing, error: unknown): void
}

/** Whoever gets one of these does not know whether the daemon has it. */
const unknowing: readonly ErrorCode[] = ['unavailable', 'not_in_time']

/**
 * Keeps what is told while there is no connection, also over a reload. What got no answer is sent again under the same
 * id, and never handed back as not sent: the person would send it twice.
 */
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
    await this.#send(outgoing.id)
  }

  /** There is a connection: everything goes out, in the order in which it was written. */
  async flush(): Promise<void> {
    for (const { id } of this.waiting.value) await this.#send(id)
  }

  async discard(id: string): Promise<void> {
    this.waiting.value = this.waiting.value.filter((each) => each.id !== id)
    await this.#ports.remove(id)
  }

  async #send(id: string): Promise<void> {
    const outgoing = this.waiting.value.find((each) => each.id === id)
    if (outgoing === undefined || this.#underWay.has(id) || !this.#ports.isOpen()) return
    this.#underWay.add(id)
    try {
      const given = this.#withTimeLeft(outgoing)
      // Before it is sent: the page may be gone before the answer comes.
      if (!outgoing.wasTried) await this.#ports.put({ ...outgoing, wasTried: true })
      const told = await this.#ports.tell(given)
      this.told.value = new Map([...this.told.value, [id, told]])
      await this.discard(id)
    } catch (cause) {
      const isUnknown = outgoing.wasTried ?? (cause instanceof ReinError && unknowing.includes(cause.code))
      if (isUnknown) return this.#markTried(id)
      await this.discard(id)
      this.#ports.onRefused(outgoing, cause)
    } finally {
      this.#underWay.delete(id)
    }
  }

  #markTried(id: string): void {
    this.waiting.value = this.waiting.value.map((each) => (each.id === id ? { ...each, wasTried: true } : each))
  }

  /** Its time began when it was written. The daemon knows one that it has by its id, whatever time is left. */
  #withTimeLeft(outgoing: Outgoing): Outgoing {
    const { expiresInMs, writtenAt, wasTried } = outgoing
    if (expiresInMs === null) return outgoing
    const leftMs = writtenAt + expiresInMs - this.#ports.now()
    if (leftMs <= 0 && !wasTried) throw new ReinError('not_found', 'It expired before there was a connection.')
    return { ...outgoing, expiresInMs: Math.max(1, leftMs) }
  }
}
