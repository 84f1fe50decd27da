import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import type { AcceptedMessage, Daemon, MessageDetails, OutgoingMessage } from '../../src/adapters/sdk/adapter.ts'
import { wait } from '../../src/adapters/sdk/retry.ts'
import type { World } from '../../src/adapters/kind.ts'
import { ReinError } from '../../src/contract/errors.ts'
import { now, tempDir } from './builders.ts'

type Received = MessageDetails & { channel: string; text: string }
type Result = Parameters<Daemon['settle']>[1]

export const away = (): ReinError => new ReinError('unavailable', 'The daemon is not running.')

/** The channels of a daemon, in memory. */
export class FakeDaemon implements Daemon {
  readonly channels: Parameters<Daemon['createChannel']>[0][] = []
  /** What was accepted: the same key is one message. */
  readonly received: Received[] = []
  readonly settled: Result[] = []
  /** What the next requests fail with, by the name of the request. */
  readonly failures: Record<'createChannel' | 'receive' | 'take' | 'settle', Error[]> = {
    createChannel: [],
    receive: [],
    take: [],
    settle: [],
  }
  /** What becomes of messages that are accepted. */
  fate: Pick<AcceptedMessage, 'state' | 'reason'> = { state: 'routed', reason: null }
  readonly #outgoing: OutgoingMessage[] = []
  readonly #events = new EventEmitter().setMaxListeners(0)

  async createChannel(channel: FakeDaemon['channels'][number]): Promise<void> {
    this.#begin('createChannel')
    this.channels.push(channel)
  }

  async receive(channel: string, message: Omit<Received, 'channel'>): Promise<AcceptedMessage> {
    this.#begin('receive')
    const known = this.received.findIndex((one) => one.channel === channel && one.key === message.key)
    if (known === -1) this.received.push({ channel, ...message })
    return { id: `msg_${known === -1 ? this.received.length : known + 1}`, ...this.fate }
  }

  async take(_channel: string, _options: object, signal?: AbortSignal): Promise<OutgoingMessage[]> {
    this.#begin('take')
    while (this.#outgoing.length === 0) await once(this.#events, 'news', { signal })
    return this.#outgoing.splice(0, 1)
  }

  async settle(_channel: string, result: Result): Promise<void> {
    this.#begin('settle')
    this.settled.push(result)
  }

  /** An agent says something. */
  say(text: string, given: Partial<OutgoingMessage> = {}): OutgoingMessage {
    const from = { id: 'agt_1', project: 'shop-1a2b3c', handle: 'worker' }
    const message = { id: `out_${text.slice(0, 8)}`, channel: 'test', text, from, at: now, replyTo: null, ...given }
    this.#outgoing.push(message)
    this.#events.emit('news')
    return message
  }

  /** Resolves when it is so; looked at after each request. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.#events, 'news')
  }

  #begin(request: keyof FakeDaemon['failures']): void {
    const failure = this.failures[request].shift()
    setImmediate(() => this.#events.emit('news'))
    if (failure !== undefined) throw failure
  }
}

/** A clock that the test moves, for one that waits by it. */
export class TestClock {
  readonly #events = new EventEmitter()
  #now: number
  #sleeper: { until: number; wake: () => void } | null = null

  constructor(start: string) {
    this.#now = Date.parse(start)
  }

  readonly now = (): number => this.#now

  readonly wait = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake)
        this.#sleeper = null
        resolve()
      }
      if (signal.aborted) return resolve()
      this.#sleeper = { until: this.#now + ms, wake }
      signal.addEventListener('abort', wake)
      this.#events.emit('waiting')
    })

  /** Resolves when somebody waits, so has nothing else to do. */
  async idle(): Promise<{ until: number; wake: () => void }> {
    while (this.#sleeper === null) await once(this.#events, 'waiting')
    return this.#sleeper
  }

  /** Time passes as it does while the machine is awake. */
  async pass(ms: number): Promise<void> {
    const end = this.#now + ms
    for (let sleeper = await this.idle(); sleeper.until <= end; sleeper = await this.idle()) {
      this.#now = sleeper.until
      sleeper.wake()
    }
    this.#now = end
  }

  /** While nobody waits by it. */
  set(time: string): void {
    this.#now = Date.parse(time)
  }

  /** The clock jumps, as when the machine was asleep; who waited by it is late. */
  async jump(ms: number): Promise<void> {
    const sleeper = await this.idle()
    this.#now += ms
    sleeper.wake()
    await this.idle()
  }
}

export interface TestWorld extends World {
  daemon: FakeDaemon
  lines: string[]
  /** Resolves with the first line that matches, also one that is there already. */
  logged(pattern: RegExp): Promise<string>
}

/** What an adapter has of the world, in a directory of its own. */
export const createWorld = (given: Partial<World> = {}): TestWorld => {
  const dir = tempDir()
  const lines: string[] = []
  const events = new EventEmitter()
  const log = (line: string): void => {
    lines.push(line)
    events.emit('line')
  }
  const logged = async (pattern: RegExp): Promise<string> => {
    const found = lines.find((line) => pattern.test(line))
    if (found !== undefined) return found
    await once(events, 'line')
    return logged(pattern)
  }
  const state = join(dir, 'state')
  return { env: {}, dir, state, now: Date.now, wait, log, ...given, daemon: new FakeDaemon(), lines, logged }
}
