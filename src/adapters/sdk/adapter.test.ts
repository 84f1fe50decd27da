import { once } from 'node:events'
import { setImmediate as tick } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { away, FakeDaemon } from '../../../test/support/adapter-world.ts'
import { ReinError } from '../../contract/errors.ts'
import { type Adapter, type AdapterOptions, createAdapter, PermanentError, RetryError } from './adapter.ts'

let daemon: FakeDaemon
let adapters: Adapter[]
const lines: string[] = []

const start = async (options: Partial<AdapterOptions> = {}): Promise<Adapter> => {
  const adapter = await createAdapter({ channel: 'test', log: (line) => void lines.push(line), ...options }, daemon)
  adapters.push(adapter)
  return adapter
}

beforeEach(() => {
  daemon = new FakeDaemon()
  adapters = []
  lines.length = 0
})

afterEach(async () => {
  vi.useRealTimers()
  await Promise.allSettled(adapters.map((adapter) => adapter.shutdown()))
})

describe('a channel', () => {
  test('is made, and keeps what goes out only if there is something to send it', async () => {
    await start({ isHuman: true, senders: ['ada'] })
    await start({ channel: 'pager', send: async () => undefined })
    expect(daemon.channels).toEqual([
      { name: 'test', isHuman: true, senders: ['ada'] },
      { name: 'pager', isKept: true },
    ])
  })

  test('waits for the daemon', async () => {
    vi.useFakeTimers()
    daemon.failures.createChannel.push(away(), away(), away())
    const started = start()
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 3999)
    expect(daemon.channels).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await started
    expect(daemon.channels).toHaveLength(1)
    expect(lines[0]).toBe('The daemon is not running. Trying again in 1 s.')
  })

  test('that is refused is an error', async () => {
    daemon.failures.createChannel.push(new ReinError('usage', 'no name'))
    await expect(start()).rejects.toThrow('no name')
  })
})

describe('what comes in', () => {
  test('is accepted with all that was said about it', async () => {
    const adapter = await start()
    const details = { sender: 'ada', meta: { chat: 7 }, key: 'k1', claimedAt: 5 }
    expect(await adapter.receive('hello', details)).toEqual({ id: 'msg_1', state: 'routed', reason: null })
    expect(daemon.received).toEqual([{ channel: 'test', text: 'hello', ...details }])
  })

  test('keeps its text, whatever the details say', async () => {
    const adapter = await start()
    await adapter.receive('hello', Object.assign({ key: 'k' }, { text: 'other' }))
    expect(daemon.received).toEqual([{ channel: 'test', text: 'hello', key: 'k' }])
  })

  test('is tried until it is accepted, as one and the same message', async () => {
    const adapter = await start()
    vi.useFakeTimers()
    const full = new ReinError('inbox_full', 'There is no room.')
    daemon.failures.receive.push(away(), new ReinError('not_in_time', 'slow'), full, ...Array.from({ length: 4 }, away))
    const keys: unknown[] = []
    const receive = vi.spyOn(daemon, 'receive').mockImplementation((channel, message) => {
      keys.push(message.key)
      return FakeDaemon.prototype.receive.call(daemon, channel, message)
    })
    const accepted = adapter.receive('hello')
    await vi.advanceTimersByTimeAsync(1000 + 2000 + 4000 + 8000 + 16_000 + 30_000 + 30_000)
    await accepted
    expect(receive).toHaveBeenCalledTimes(8)
    expect(new Set(keys).size).toBe(1)
    expect(daemon.received).toHaveLength(1)
  })

  test('is refused for good', async () => {
    const adapter = await start()
    daemon.failures.receive.push(new ReinError('text_too_large', 'too long'))
    await expect(adapter.receive('hello')).rejects.toThrow('too long')
    expect(daemon.received).toEqual([])
  })

  test('is given up when the caller says so', async () => {
    const adapter = await start()
    const giveUp = new AbortController()
    daemon.failures.receive.push(away())
    const accepted = adapter.receive('hello', { signal: giveUp.signal })
    giveUp.abort()
    await expect(accepted).rejects.toThrow('not running')
  })

  test('is given up when the adapter ends', async () => {
    const adapter = await start()
    daemon.failures.receive.push(away())
    const accepted = adapter.receive('hello')
    const ended = adapter.shutdown()
    await expect(accepted).rejects.toThrow('not running')
    await ended
  })
})

describe('what goes out', () => {
  const sendAll = async (send: AdapterOptions['send'], ...texts: string[]): Promise<FakeDaemon['settled']> => {
    await start({ send })
    for (const text of texts) daemon.say(text)
    await daemon.until(() => daemon.settled.length === texts.length)
    return daemon.settled
  }

  test('is settled in its order, one at a time', async () => {
    const steps: string[] = []
    const send = async ({ text }: { text: string }): Promise<void> => {
      steps.push(`${text} begins`)
      await tick()
      steps.push(`${text} ends`)
    }
    expect(await sendAll(send, 'a', 'b')).toEqual([{ id: 'out_a' }, { id: 'out_b' }])
    expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends'])
  })

  test.each([
    ['comes again later', new Error('busy'), { error: 'busy' }],
    ['never comes again', new PermanentError('gone'), { error: 'gone', retryInMs: null }],
    ['comes again when it is told to', new RetryError('wait', 7000), { error: 'wait', retryInMs: 7000 }],
    ['comes again within a day', new RetryError('wait', 1e9), { error: 'wait', retryInMs: 86_400_000 }],
  ])('that fails %s', async (_what, failure, result) => {
    expect(await sendAll(() => Promise.reject(failure), 'a')).toEqual([{ id: 'out_a', ...result }])
  })

  test('that takes too long has failed, and is told so', async () => {
    const signals: AbortSignal[] = []
    const never = (_message: object, signal: AbortSignal): Promise<void> => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    await start({ send: never, sendLimitMs: 10 })
    daemon.say('a')
    await daemon.until(() => daemon.settled.length === 1)
    expect(daemon.settled).toEqual([{ id: 'out_a', error: 'It was not done within 0.01 s.' }])
    expect(signals[0]?.aborted).toBe(true)
  })

  test('is taken and settled however often the daemon is away', async () => {
    vi.useFakeTimers()
    daemon.failures.take.push(away())
    daemon.failures.settle.push(away(), away())
    await start({ send: async () => undefined })
    daemon.say('a')
    await vi.advanceTimersByTimeAsync(1000)
    await vi.advanceTimersByTimeAsync(3000)
    expect(daemon.settled).toEqual([{ id: 'out_a' }])
  })

  test('ends the adapter if the daemon will never give anything', async () => {
    daemon.failures.take.push(new ReinError('forbidden', 'An agent may not do this.'))
    const adapter = await start({ send: async () => undefined })
    await expect(adapter.closed).rejects.toThrow('An agent may not do this.')
  })
})

describe('the end', () => {
  test('waits for what is under way', async () => {
    const finish = new AbortController()
    const send = async (): Promise<void> => void (await once(finish.signal, 'abort'))
    const adapter = await start({ send })
    daemon.say('a')
    await tick()
    const ended = adapter.shutdown().then(() => 'ended')
    expect(await Promise.race([ended, tick('still at work')])).toBe('still at work')
    finish.abort()
    await ended
    expect(daemon.settled).toEqual([{ id: 'out_a' }])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)('comes by %s', async (signal) => {
    const before = process.listenerCount(signal)
    const adapter = await start({ send: async () => undefined })
    process.emit(signal)
    await adapter.closed
    expect(process.listenerCount(signal)).toBe(before)
  })

  test('waits for its own work, and fails with it', async () => {
    const adapter = await start()
    adapter.run(async (signal) => {
      while (!signal.aborted) await tick()
    })
    adapter.run(() => Promise.reject(new Error('no source')))
    await expect(adapter.closed).rejects.toThrow('no source')
    expect(adapter.signal.aborted).toBe(true)
  })
})
