import { byRein } from '../../../contract/identity.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { toPrune } from './event.ts'
import { busRecord } from './record.ts'
import type { AnyNewRecord } from '../../../contract/record.ts'
import { doneEvents, usageOf } from './store.ts'

interface RetentionPorts {
  append(records: AnyNewRecord[]): Promise<number[]>
  reader: Database
  now(): number
  newId(prefix: string): string
  onTrouble(where: string, cause: unknown): void
}

interface RetentionLimits {
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

/** Prunes down to this share of the limit, so that not every further event prunes again. */
const share = 0.9

/** Keeps done events for a while, and open ones forever. */
export class Retention {
  readonly #ports: RetentionPorts
  readonly #limits: RetentionLimits
  readonly #coming = new Set<string>()

  constructor(ports: RetentionPorts, limits: RetentionLimits) {
    this.#ports = ports
    this.#limits = limits
  }

  /** Prunes in the background if there is too much. */
  check(project: string): void {
    const { retentionBytes } = this.#limits
    if (this.#coming.has(project) || usageOf(this.#ports.reader, project).bytes <= retentionBytes) return
    this.#coming.add(project)
    setImmediate(
      () =>
        void this.prune(project, { keepBytes: retentionBytes * share })
          .catch((cause) => this.#ports.onTrouble('bus retention', cause))
          .then(() => this.#coming.delete(project)),
    )
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
      if (events.length > 0) {
        const [id, at] = [this.#ports.newId('rec'), this.#ports.now()]
        await this.#ports.append([busRecord('event.pruned', { events }, { id, at, actor: byRein, project })])
      }
      pruned += events.length
      if (events.length < batchSize) break
    }
    const { events: kept, bytes } = usageOf(this.#ports.reader, project)
    return { pruned, kept, bytes }
  }
}
