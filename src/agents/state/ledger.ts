import { asReinError, type ErrorCode } from '../../contract/errors.ts'
import type { AnyNewRecord } from '../../contract/record.ts'

interface LedgerPorts {
  append(records: AnyNewRecord[]): Promise<unknown>
  now(): number
  onTrouble(where: string, cause: unknown): void
}

const tryAgainMs = 5000
/** These are about the disk, never about a record. */
const passing: readonly ErrorCode[] = ['storage_full', 'storage_readonly', 'storage_damaged']

/** Writes down what is noted about one agent. What cannot be written now is kept, and written later in the same order. */
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
    this.#owed.push(record)
    if (!isPassing(cause)) this.#ports.onTrouble(`${describeRecord(record)}, which is kept`, cause)
  }

  /** Time has passed: it may work now. */
  async tick(): Promise<void> {
    if (this.#owed.length === 0 || this.#isTrying || this.#ports.now() - this.#triedAt < tryAgainMs) return
    this.#isTrying = true
    const records = [...this.#owed]
    const cause = await this.#try(records)
    if (cause === null) this.#owed.splice(0, records.length)
    else if (!isPassing(cause) && records.length > 1) await this.#writeSingly(records)
    this.#isTrying = false
  }

  /** An error alone does not say whether a record is at fault, or the database is: that is told by whether another one can be stored. */
  async #writeSingly(records: readonly AnyNewRecord[]): Promise<void> {
    const failed: AnyNewRecord[] = []
    for (const record of records) {
      const cause = await this.#try([record])
      if (isPassing(cause)) return
      if (cause === null) this.#settle(record)
      else failed.push(record)
    }
    if (failed.length < records.length) for (const record of failed) await this.#writeOrGiveUp(record)
  }

  /** It may have been the database's fault when its turn came. */
  async #writeOrGiveUp(record: AnyNewRecord): Promise<void> {
    const cause = await this.#try([record])
    if (isPassing(cause)) return
    this.#settle(record)
    if (cause !== null) this.#ports.onTrouble(`${describeRecord(record)}, which is given up`, cause)
  }

  #settle(record: AnyNewRecord): void {
    this.#owed.splice(this.#owed.indexOf(record), 1)
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
}

const describeRecord = ({ id, type, agent }: AnyNewRecord): string => `record ${id} (${type}) of ${agent ?? 'no agent'}`

const isPassing = (cause: unknown): boolean => cause !== null && passing.includes(asReinError(cause).code)
