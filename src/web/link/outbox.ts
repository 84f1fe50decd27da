import { signal } from '@preact/signals'
import type { Priority } from '../../contract/directive.ts'
import { type ErrorCode, ReinError } from '../../contract/errors.ts'
import type { Told } from '../../contract/routes/directives.ts'
import { isUnknowing } from './is-unknowing.ts'

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

/** What the store of this browser could not do. */
export type StoreStep = 'read' | 'keep' | 'remove' | 'lock'

interface OutboxPorts {
  readAll(): Promise<Outgoing[]>
  read(id: string): Promise<Outgoing | undefined>
  put(outgoing: Outgoing): Promise<void>
  remove(id: string): Promise<void>
  removeAll(): Promise<void>
  /** The store has it, or has failed: it need not be kept elsewhere any more. */
  onAdded(outgoing: Outgoing): void
  /** Does it while no page of this browser does anything else with this text. */
  alone(id: string, act: () => Promise<void>): Promise<void>
  /** Other pages of this browser look at the store again. */
  announce(): void
  isOpen(): boolean
  tell(outgoing: Outgoing): Promise<Told>
  /** Whether the daemon has it. */
  isKnown(id: string): Promise<boolean>
  now(): number
  after(ms: number, act: () => void): () => void
  /** The daemon does not take it: the person gets the text back. */
  onRefused(outgoing: Outgoing, error: unknown): void
  /** The person wanted it back, and it was sent meanwhile: the daemon may have it. */
  onTooLate(outgoing: Outgoing): void
  /** The person is told; nothing else depends on it. */
  onStoreFailure(step: StoreStep, cause: unknown): void
}

/** The daemon looks for the id first: whoever gets one of these knows that it has no such text, however often it was sent. */
const unfit: readonly ErrorCode[] = ['empty_text', 'invalid_text', 'text_too_large', 'inbox_full']
const isUnfit = (cause: unknown): boolean => cause instanceof ReinError && unfit.includes(cause.code)

/** An answer that does not come over a connection that stays is asked for again. */
const retryMs = 30_000
const mostTold = 100

/**
 * Keeps what is told while there is no connection, also over a reload. What got no answer is sent again under the same
 * id, and never handed back as not sent: the person would send it twice. All pages of a browser have one store: what it
 * does not have any more was sent or taken back elsewhere. A store that fails decides nothing: the text is sent from memory.
 */
export class Outbox {
  readonly waiting = signal<readonly Outgoing[]>([])
  /** Those of them that are being sent by this page. */
  readonly underWay = signal<ReadonlySet<string>>(new Set())
  /** What the daemon said to each that it took; the newest. */
  readonly told = signal<ReadonlyMap<string, Told>>(new Map())
  /** Why it is still not known whether the daemon has what was sent before: what it said to the next try. */
  readonly refusals = signal<ReadonlyMap<string, unknown>>(new Map())
  readonly #ports: OutboxPorts
  /** Only in memory: the store does not have them yet, or failed. */
  readonly #unkept = new Set<string>()
  /** Sent or taken back, and still in the store, which failed. */
  readonly #unremoved = new Set<string>()
  /** Those that had their turn since the last flush. */
  readonly #passed = new Set<string>()
  #isSending = false
  /** A read of the whole store is of the past if this has changed meanwhile. */
  #changes = 0
  #cancelRetry: () => void = () => {}

  constructor(ports: OutboxPorts) {
    this.#ports = ports
  }

  /** What an earlier visit or another page has left. */
  async load(): Promise<void> {
    try {
      for (;;) {
        const changes = this.#changes
        const kept = await this.#ports.readAll()
        if (changes !== this.#changes) continue
        return this.#takeOver(kept)
      }
    } catch (cause) {
      this.#ports.onStoreFailure('read', cause)
    }
  }

  #takeOver(kept: readonly Outgoing[]): void {
    const left = kept
      .filter(({ id }) => !this.#unremoved.has(id))
      .map((each): Outgoing => (this.#find(each.id)?.wasTried ? { ...each, wasTried: true } : each))
    const own = this.waiting.value.filter(({ id }) => this.#unkept.has(id))
    this.waiting.value = [...left, ...own].toSorted((a, b) => a.writtenAt - b.writtenAt)
  }

  /** Another page has changed something. */
  async reload(): Promise<void> {
    await this.load()
    await this.#sendAll()
  }

  async add(outgoing: Outgoing): Promise<void> {
    this.#unkept.add(outgoing.id)
    this.#change([...this.waiting.value, outgoing])
    await this.#alone(outgoing.id, async () => {
      try {
        await this.#ports.put(outgoing)
        this.#unkept.delete(outgoing.id)
        this.#changes += 1
      } catch (cause) {
        this.#ports.onStoreFailure('keep', cause)
      }
      this.#ports.onAdded(outgoing)
    })
    this.#ports.announce()
    await this.#sendAll()
  }

  /** There is a connection: everything goes out, in the order in which it was written. */
  async flush(): Promise<void> {
    this.#passed.clear()
    await this.#sendAll()
  }

  /** One that was sent meanwhile, maybe by another page, is kept: the person has asked for it as unsent. */
  async discard(id: string): Promise<void> {
    const { wasTried = false } = this.#find(id) ?? {}
    await this.#alone(id, async () => {
      const outgoing = await this.#current(id)
      if (outgoing === undefined) return
      if (outgoing.wasTried === true && !wasTried) {
        this.#change(this.waiting.value.map((each) => (each.id === id ? outgoing : each)))
        this.#ports.onTooLate(outgoing)
      } else await this.#settle(id)
    })
  }

  /** Forgets all, also what this page does not know of; what is being sent, once it was. */
  async clear(): Promise<void> {
    for (const { id } of this.waiting.value) await this.#alone(id, async () => this.#drop(id))
    try {
      await this.#ports.removeAll()
      this.#changes += 1
      this.#ports.announce()
    } catch (cause) {
      this.#ports.onStoreFailure('remove', cause)
    }
  }

  /** A browser that refuses the turn leaves the text as it is, until the next flush. */
  async #alone(id: string, act: () => Promise<void>): Promise<void> {
    try {
      await this.#ports.alone(id, act)
    } catch (cause) {
      this.#ports.onStoreFailure('lock', cause)
    }
  }

  /** One after the other, also what is added meanwhile: nothing overtakes. */
  async #sendAll(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        const { id } = next
        this.#passed.add(id)
        await this.#alone(id, () => this.#send(id))
      }
    } finally {
      this.#isSending = false
    }
  }

  #next(): Outgoing | undefined {
    return this.#ports.isOpen() ? this.waiting.value.find(({ id }) => !this.#passed.has(id)) : undefined
  }

  async #send(id: string): Promise<void> {
    const outgoing = await this.#current(id)
    if (outgoing === undefined || !this.#ports.isOpen()) return
    this.underWay.value = new Set([...this.underWay.value, id])
    try {
      await this.#deliver(outgoing)
    } finally {
      this.underWay.value = new Set([...this.underWay.value].filter((each) => each !== id))
    }
  }

  /** As the store has it: another page may have sent it, or taken it back. */
  async #current(id: string): Promise<Outgoing | undefined> {
    const own = this.#find(id)
    if (own === undefined || this.#unkept.has(id)) return own
    try {
      const kept = await this.#ports.read(id)
      if (kept === undefined) this.#drop(id)
      return kept === undefined ? undefined : { ...own, ...kept }
    } catch (cause) {
      this.#ports.onStoreFailure('read', cause)
      return own
    }
  }

  async #deliver(outgoing: Outgoing): Promise<void> {
    const { id, wasTried = false } = outgoing
    const given = this.#withTimeLeft(outgoing)
    if (given === null) return this.#expire(outgoing)
    try {
      // Before it is sent: the page may be gone before the answer comes.
      await this.#markTried(outgoing)
      const told = await this.#ports.tell(given)
      this.told.value = new Map([...[...this.told.value].slice(1 - mostTold), [id, told]])
      await this.#settle(id)
    } catch (cause) {
      if (isUnknowing(cause)) return this.#retryLater()
      if (!wasTried || isUnfit(cause)) return this.#refuse(outgoing, cause)
      await this.#ask(outgoing, cause)
    }
  }

  /** It is not to be told again; whether it was taken before, only the daemon knows. */
  async #ask(outgoing: Outgoing, cause: unknown): Promise<void> {
    const { id } = outgoing
    try {
      await ((await this.#ports.isKnown(id)) ? this.#settle(id) : this.#refuse(outgoing, cause))
    } catch (failure) {
      if (isUnknowing(failure)) return this.#retryLater()
      this.refusals.value = new Map([...this.refusals.value, [id, failure]])
    }
  }

  /** It is not told any more: an agent might get it in its last moment. One that was sent may have come in time. */
  async #expire(outgoing: Outgoing): Promise<void> {
    const { wasTried = false } = outgoing
    const when = wasTried ? 'before it arrived' : 'before there was a connection'
    const expired = new ReinError('not_found', `It expired ${when}.`)
    return wasTried ? this.#ask(outgoing, expired) : this.#refuse(outgoing, expired)
  }

  async #markTried(outgoing: Outgoing): Promise<void> {
    const { id, wasTried } = outgoing
    const tried: Outgoing = { ...outgoing, wasTried: true }
    this.#change(this.waiting.value.map((each) => (each.id === id ? tried : each)))
    if (wasTried || this.#unkept.has(id)) return
    try {
      await this.#ports.put(tried)
      this.#changes += 1
      this.#ports.announce()
    } catch (cause) {
      this.#ports.onStoreFailure('keep', cause)
    }
  }

  async #refuse(outgoing: Outgoing, cause: unknown): Promise<void> {
    // The page may be gone before the store answers: better twice than lost.
    this.#ports.onRefused(outgoing, cause)
    await this.#settle(outgoing.id)
  }

  /** It waits no longer, whatever the store does. */
  async #settle(id: string): Promise<void> {
    const isKept = !this.#unkept.has(id)
    this.#drop(id)
    if (!isKept) return
    this.#unremoved.add(id)
    try {
      await this.#ports.remove(id)
      this.#unremoved.delete(id)
      this.#changes += 1
      this.#ports.announce()
    } catch (cause) {
      this.#ports.onStoreFailure('remove', cause)
    }
  }

  #retryLater(): void {
    this.#cancelRetry()
    this.#cancelRetry = this.#ports.after(retryMs, () => void this.flush())
  }

  #find(id: string): Outgoing | undefined {
    return this.waiting.value.find((each) => each.id === id)
  }

  #drop(id: string): void {
    this.#unkept.delete(id)
    this.#passed.delete(id)
    this.refusals.value = new Map([...this.refusals.value].filter(([each]) => each !== id))
    this.#change(this.waiting.value.filter((each) => each.id !== id))
  }

  #change(waiting: readonly Outgoing[]): void {
    this.#changes += 1
    this.waiting.value = waiting
  }

  /** Its time began when it was written; null: it is over. */
  #withTimeLeft(outgoing: Outgoing): Outgoing | null {
    const { expiresInMs, writtenAt } = outgoing
    if (expiresInMs === null) return outgoing
    const leftMs = writtenAt + expiresInMs - this.#ports.now()
    return leftMs <= 0 ? null : { ...outgoing, expiresInMs: leftMs }
  }
}
