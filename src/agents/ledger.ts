import { asReinError, type ErrorCode } from '../contract/errors.ts'
import type { AnyNewRecord } from '../contract/record.ts'

export interface LedgerPorts {
  append(records: AnyNewRecord[]): Promise<unknown>
  now(): number
  onTrouble(where: string, cause: unknown): void
}

const tryAgainMs = 5000
/** A disk has room again some day; what cannot be stored at all never can. */
const passing: readonly ErrorCode[] = ['storage_full', 'storage_readonly']

/** Writes down what is noted about one agent. What there is no room for is kept, and written later in the same order. */
export class Ledger {
  readonly #ports: LedgerPorts
  readonly #owed: AnyNewRecord[] = []
  #triedAt = 0
  #isTrying = false

  constructor(ports: LedgerPorts) {
    this.#ports = ports
  }

  /** Resolves when it is written, or is kept because it could not be. */
  async write(record: AnyNewRecord): Promise<void> {
    if (this.#owed.length > 0) return void this.#owed.push(record)
    const cause = await this.#try([record])
    if (cause === null) return
    if (isPassing(cause)) this.#owed.push(record)
    else this.#giveUp(cause, record)
  }

  /** Time has passed: there may be room again. */
  async tick(): Promise<void> {
    if (this.#owed.length === 0 || this.#isTrying || this.#ports.now() - this.#triedAt < tryAgainMs) return
    this.#isTrying = true
    const records = [...this.#owed]
    const cause = await this.#try(records)
    if (cause === null) this.#owed.splice(0, records.length)
    else if (!isPassing(cause)) await this.#writeSingly(records)
    this.#isTrying = false
  }

  /** One of them can never be stored: the others can. */
  async #writeSingly(records: readonly AnyNewRecord[]): Promise<void> {
    for (const record of records) {
      const cause = await this.#try([record])
      if (isPassing(cause)) return
      this.#owed.shift()
      if (cause !== null) this.#giveUp(cause, record)
    }
  }

  /** Why it cannot be written now; null if it was. */
  async #try(records: AnyNewRecord[]): Promise<unknown> {
    return this.#ports.append(records).then(
      () => null,
      (cause: unknown) => {
        this.#triedAt = this.#ports.now()
        return cause
      },
    )
  }

  #giveUp(cause: unknown, { id, type, agent }: AnyNewRecord): void {
    this.#ports.onTrouble(`record ${id} (${type}) of ${agent ?? 'no agent'}, which is given up`, cause)
  }
}

const isPassing = (cause: unknown): boolean => cause !== null && passing.includes(asReinError(cause).code)
