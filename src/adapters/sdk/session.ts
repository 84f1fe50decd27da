import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { AcceptedMessage, Adapter, AdapterOptions, Daemon, MessageDetails, OutgoingMessage } from './adapter.ts'
import { messageOf, nothingAfter, retryInMsOf, untilDone } from './retry.ts'

type Options = AdapterOptions & Required<Pick<AdapterOptions, 'log'>>
type Send = NonNullable<AdapterOptions['send']>

const waitMs = 20_000
const usualLimitMs = 30_000
/** So that a `send` that ends in time is settled in time. */
const leaseMarginMs = 10_000
/** What the daemon takes. */
const [longestRetryMs, longestReason] = [86_400_000, 2_000]
const endSignals = ['SIGTERM', 'SIGINT'] as const

/** An adapter at work, from the moment its channel is there. */
export class Session implements Adapter {
  readonly channel: string
  readonly closed: Promise<void>
  readonly #options: Options
  readonly #daemon: Daemon
  readonly #ending = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  #failure: { cause: unknown } | null = null

  constructor(options: Options, daemon: Daemon) {
    this.channel = options.channel
    this.#options = options
    this.#daemon = daemon
    this.closed = this.#untilClosed()
    const { send } = options
    if (send !== undefined) this.run(() => this.#deliverAll(send))
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  receive(
    text: string,
    { signal, key = randomUUID(), ...details }: MessageDetails & { signal?: AbortSignal } = {},
  ): Promise<AcceptedMessage> {
    const until = signal === undefined ? this.signal : AbortSignal.any([signal, this.signal])
    const accepted = untilDone(
      () => this.#daemon.receive(this.channel, { ...details, text, key }),
      until,
      this.#options.log,
    )
    this.#track(accepted)
    return accepted
  }

  run(work: (signal: AbortSignal) => Promise<void>): void {
    const working = async (): Promise<void> => work(this.signal)
    const stopped = working().catch((cause: unknown) => {
      this.#failure ??= { cause }
      this.#ending.abort()
    })
    this.#track(stopped)
  }

  shutdown(): Promise<void> {
    this.#ending.abort()
    return this.closed
  }

  #track(promise: Promise<unknown>): void {
    const over = (): boolean => this.#underWay.delete(settled)
    const settled: Promise<void> = promise.then(over, over).then(() => undefined)
    this.#underWay.add(settled)
  }

  async #untilClosed(): Promise<void> {
    const end = (): void => this.#ending.abort()
    for (const name of endSignals) process.once(name, end)
    await once(this.signal, 'abort')
    for (const name of endSignals) process.off(name, end)
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
    if (this.#failure !== null) throw this.#failure.cause
  }

  /** One at a time, so that they leave in their order. */
  async #deliverAll(send: Send): Promise<void> {
    const { sendLimitMs = usualLimitMs, log } = this.#options
    const options = { limit: 1, leaseMs: sendLimitMs + leaseMarginMs, waitMs }
    while (!this.signal.aborted) {
      const take = (): Promise<OutgoingMessage[]> => this.#daemon.take(this.channel, options, this.signal)
      const messages = await untilDone(take, this.signal, log).catch(nothingAfter(this.signal))
      for (const message of messages) await this.#deliver(send, message, sendLimitMs)
    }
  }

  /** A result that cannot be reported is no loss: the message comes again. */
  async #deliver(send: Send, message: OutgoingMessage, limitMs: number): Promise<void> {
    const { log } = this.#options
    const result = await within(limitMs, (signal) => send(message, signal)).then(
      () => ({}),
      (cause) => {
        const error = (messageOf(cause) || 'no reason given').slice(0, longestReason)
        const wish = retryInMsOf(cause)
        if (wish === undefined) return { error }
        return { error, retryInMs: wish === null ? null : Math.min(Math.max(0, Math.round(wish)), longestRetryMs) }
      },
    )
    if ('error' in result) log(`${message.id} was not delivered: ${result.error}`)
    const settle = (): Promise<unknown> => this.#daemon.settle(this.channel, { id: message.id, ...result })
    await untilDone(settle, this.signal, log).catch((cause: unknown) => log(`${message.id}: ${messageOf(cause)}`))
  }
}

const within = async (ms: number, work: (signal: AbortSignal) => Promise<void>): Promise<void> => {
  const limit = AbortSignal.timeout(ms)
  const tooLate = once(limit, 'abort').then(() => {
    throw new Error(`It was not done within ${ms / 1000} s.`)
  })
  await Promise.race([work(limit), tooLate])
}
