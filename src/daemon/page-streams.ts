import { asReinError, ReinError } from '../contract/errors.ts'
import { firstCredit } from '../contract/socket-terms.ts'
import { Places } from '../base/util/places.ts'
import type { Outlet } from './outlet.ts'

interface Opened {
  abort: AbortController
  /** Lines that the client still takes; a call has none. */
  credit: number
  onCredit: () => void
}

/** More than a page has open at once. */
const mostOpen = 128
/** Calls at work: their answers are in memory until they are sent, and each can be long. */
const mostAtWork = 8

/** The calls and streams of one connection, by the number that the client gave each. */
export class PageStreams {
  readonly #open = new Map<number, Opened>()
  readonly #outlet: Outlet
  readonly #ending: AbortSignal
  readonly #atWork = new Places(mostAtWork)
  /** Those that wait for other programs: nobody who wants to interrupt an agent waits for them. */
  readonly #slow = new Places(mostAtWork)

  constructor(outlet: Outlet, ending: AbortSignal) {
    this.#outlet = outlet
    this.#ending = ending
  }

  /** A call is asked when one of few places is free, and gives its place up when its answer is on its way. */
  async call(id: number, ask: (signal: AbortSignal) => Promise<unknown>, isSlow = false): Promise<void> {
    const places = isSlow ? this.#slow : this.#atWork
    await this.#during(id, ({ abort: { signal } }) =>
      places.during(async () => {
        if (signal.aborted) return
        const result = await ask(signal)
        await this.#outlet.send({ id, result: result ?? null }, () => !signal.aborted)
      }),
    )
  }

  /** The source is asked for a line only when the client takes one more, the one before is on its way, and there is room. */
  async follow(id: number, start: (signal: AbortSignal) => AsyncGenerator): Promise<void> {
    await this.#during(id, async (opened) => {
      const { signal } = opened.abort
      const lines = start(signal)
      try {
        for (;;) {
          while (opened.credit === 0 && !signal.aborted)
            await new Promise<void>((resolve) => (opened.onCredit = resolve))
          await this.#outlet.untilRoom()
          if (signal.aborted) return
          const item = await lines.next()
          if (item.done) break
          opened.credit -= 1
          await this.#outlet.send({ id, line: item.value }, () => !signal.aborted)
        }
      } finally {
        await lines.return(undefined)
      }
      if (this.#ending.aborted) throw new ReinError('unavailable', 'The daemon is stopping.')
      await this.#outlet.send({ id, end: true }, () => !signal.aborted)
    })
  }

  grant(id: number, lines: number): void {
    const opened = this.#open.get(id)
    if (opened === undefined) return
    opened.credit += lines
    opened.onCredit()
  }

  close(id: number): void {
    const opened = this.#open.get(id)
    opened?.abort.abort()
    opened?.onCredit()
  }

  closeAll(): void {
    for (const id of this.#open.keys()) this.close(id)
  }

  async #during(id: number, run: (opened: Opened) => Promise<void>): Promise<void> {
    const opened: Opened = { abort: new AbortController(), credit: firstCredit, onCredit: () => undefined }
    try {
      if (this.#open.has(id)) throw new ReinError('usage', `The number ${id} is in use on this connection.`)
      if (this.#open.size >= mostOpen)
        throw new ReinError(
          'rate_limited',
          `A page has at most ${mostOpen} requests open.`,
          'Close some of its streams.',
        )
      this.#open.set(id, opened)
      await run(opened)
    } catch (cause) {
      await this.#outlet.send({ id, error: asReinError(cause).toBody().error }, () => !opened.abort.signal.aborted)
    } finally {
      if (this.#open.get(id) === opened) this.#open.delete(id)
    }
  }
}
