import type { Base } from '../../base/base.ts'
import { tellLoss } from '../../base/tell-loss.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { InboxSteps } from './inbox-steps.ts'
import type { Item } from './receipt.ts'
import { findItem, openItems } from './store.ts'

/** Directives as they are on disk. */
export class DirectiveLog {
  readonly #base: Pick<Base, 'log' | 'reader' | 'journal'>
  readonly #steps: InboxSteps

  constructor(base: Pick<Base, 'log' | 'reader' | 'journal'>, steps: InboxSteps) {
    this.#base = base
    this.#steps = steps
  }

  /** Resolves with their numbers when the records are on disk. */
  async append(records: AnyNewRecord[]): Promise<number[]> {
    const { log, journal } = this.#base
    const seqs = await log.append(records).catch(tellLoss(journal, 'inbox'))
    for (const { cause } of records) this.#steps.emitWritten(cause ?? '')
    return seqs
  }

  load(): Item[] {
    return openItems(this.#base.reader)
  }

  find(id: string): Item | undefined {
    return findItem(this.#base.reader, id)
  }
}
