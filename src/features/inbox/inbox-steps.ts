import { EventEmitter, once } from 'node:events'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { Item } from './receipt.ts'

/** Hears each step of each directive. */
export interface StepListener {
  onStep(item: Item, record: AnyNewRecord): void
}

/** Tells listeners what becomes of directives, in the order in which they were added. */
export class InboxSteps {
  readonly #listeners: StepListener[] = []
  readonly #followed = new EventEmitter().setMaxListeners(0)

  listen(listener: StepListener): void {
    this.#listeners.push(listener)
  }

  emitStep(item: Item, record: AnyNewRecord): void {
    for (const one of this.#listeners) one.onStep(item, record)
    this.emitWritten(item.directive.id)
  }

  /** A closed directive is no longer in memory: its last step can be read only when it is on disk. */
  emitWritten(id: string): void {
    this.#followed.emit(id)
  }

  /** Resolves when something becomes of this directive, or when `signal` is aborted. */
  async next(id: string, signal: AbortSignal): Promise<void> {
    await once(this.#followed, id, { signal }).catch(() => undefined)
  }
}
