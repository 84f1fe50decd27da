import type { Database } from '../../../base/store/sqlite.ts'
import { toPrune } from './event.ts'
import { busRecord } from './record.ts'
import type { AnyNewRecord } from '../../../contract/record.ts'
import { doneEvents, usageOf } from './store.ts'

export interface RetentionPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  now(): number
  newId(prefix: string): string
  onTrouble(where: string, cause: unknown): void
}

export interface RetentionLimits {
  retentionBytes: number
  dedupWindowMs: number
}

export interface PruneRequest {
  olderThanMs?: number | undefined
  keepBytes?: number | undefined
}

export interface Pruned {
  pruned: number
  kept: number
  bytes: number
}

const batchSize = 500

/** So much is left when there is too much: else each further event would be a reason to prune again. */
const share = 0.9

/** Keeps what is done for a while, and what is open for ever. */
export class Retention {
  readonly #ports: RetentionPorts
  readonly #limits: RetentionLimits
  readonly #coming = new Set<string>()

  constructor(ports: RetentionPorts, limits: RetentionLimits) {
    this.#ports = ports
    this.#limits = limits
  }

  /** There may be too much now. What is done about it keeps nobody waiting. */
  check(project: string): void {
    const { retentionBytes } = this.#limits
    if (this.#coming.has(project) || usageOf(this.#ports.reader, project).bytes <= retentionBytes) return
    this.#coming.add(project)
    setImmediate(() => void this.#pruneQuietly(project, retentionBytes * share))
  }

  async #pruneQuietly(project: string, keepBytes: number): Promise<void> {
    await this.prune(project, { keepBytes }).catch((cause) => this.#ports.onTrouble('bus retention', cause))
    this.#coming.delete(project)
  }

  /** Without a request: down to what is kept anyway. */
  async prune(project: string, { olderThanMs, keepBytes }: PruneRequest): Promise<Pruned> {
    const now = this.#ports.now()
    const isByAge = olderThanMs !== undefined && keepBytes === undefined
    const bounds = {
      before: olderThanMs === undefined ? Number.NEGATIVE_INFINITY : now - olderThanMs,
      keepBytes: isByAge ? Number.POSITIVE_INFINITY : (keepBytes ?? this.#limits.retentionBytes),
    }
    let pruned = 0
    for (;;) {
      const oldest = doneEvents(this.#ports.reader, project, now - this.#limits.dedupWindowMs, batchSize)
      const events = toPrune(oldest, usageOf(this.#ports.reader, project).bytes, bounds).map(({ id }) => id)
      if (events.length > 0) await this.#write(project, events)
      pruned += events.length
      if (events.length < batchSize) break
    }
    const { events: kept, bytes } = usageOf(this.#ports.reader, project)
    return { pruned, kept, bytes }
  }

  async #write(project: string, events: string[]): Promise<void> {
    const context = { id: this.#ports.newId('rec'), at: this.#ports.now(), actor: { kind: 'daemon' as const }, project }
    await this.#ports.append([busRecord('event.pruned', { events }, context)])
  }
}
