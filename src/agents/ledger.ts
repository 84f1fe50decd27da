import { asReinError, type ErrorCode } from '../contract/errors.ts'
import type { AnyNewRecord } from '../contract/record.ts'

export interface LedgerPorts {
  append(records: AnyNewRecord[]): Promise<unknown>
  now(): number
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
    await this.#ports.append([record]).catch((cause: unknown) => this.#failed(cause, record))
  }

  /** Time has passed: there may be room again. */
  async tick(): Promise<void> {
    if (this.#owed.length === 0 || this.#isTrying || this.#ports.now() - this.#triedAt < tryAgainMs) return
    this.#isTrying = true
    const records = [...this.#owed]
    await this.#ports.append(records).then(
      () => this.#owed.splice(0, records.length),
      () => (this.#triedAt = this.#ports.now()),
    )
    this.#isTrying = false
  }

  #failed(cause: unknown, record: AnyNewRecord): void {
    this.#triedAt = this.#ports.now()
    if (passing.includes(asReinError(cause).code)) this.#owed.push(record)
  }
}
