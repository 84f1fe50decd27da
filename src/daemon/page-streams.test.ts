import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { firstCredit } from '../contract/socket-terms.ts'
import { Outlet, type Pipe } from './outlet.ts'
import { PageStreams } from './page-streams.ts'

/** The other end of a socket, which takes what it is sent, or leaves it lying. */
class FakePipe extends EventEmitter implements Pipe {
  readonly frames: Record<string, unknown>[] = []
  readonly #waiting: { bytes: number; sent: () => void }[] = []
  isReading = true
  most = 0

  get bufferedAmount(): number {
    return this.#waiting.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  send(text: string, sent: () => void): void {
    this.frames.push(JSON.parse(text) as Record<string, unknown>)
    this.#waiting.push({ bytes: text.length, sent })
    this.most = Math.max(this.most, this.bufferedAmount)
    if (this.isReading) this.read()
    this.emit('frame')
  }

  read(): void {
    for (const { sent } of this.#waiting.splice(0)) setImmediate(sent)
  }
}

const never = new AbortController().signal

const connected = () => {
  const pipe = new FakePipe()
  return { pipe, streams: new PageStreams(new Outlet(pipe), never) }
}

/** Until everything that can happen by itself has happened. */
const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 500; turns += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Lines without end, and how many were asked for. */
const source = (line: unknown = 'x') => {
  const told = { asked: 0, isEnded: false }
  const lines = async function* (): AsyncGenerator {
    try {
      for (;;) {
        told.asked += 1
        yield line
      }
    } finally {
      told.isEnded = true
    }
  }
  return { told, lines }
}

describe('a stream', () => {
  test('gets no further than its client allows', async () => {
    const { pipe, streams } = connected()
    const { told, lines } = source()
    void streams.follow(1, lines)
    await settle()
    expect([told.asked, pipe.frames.length]).toEqual([firstCredit, firstCredit])
    streams.grant(1, 10)
    await settle()
    expect([told.asked, pipe.frames.length]).toEqual([firstCredit + 10, firstCredit + 10])
  })

  test('that is closed ends its source, and says nothing more', async () => {
    const { pipe, streams } = connected()
    const { told, lines } = source()
    const following = streams.follow(1, lines)
    await settle()
    streams.close(1)
    await following
    expect(told.isEnded).toBe(true)
    expect(pipe.frames).toHaveLength(firstCredit)
  })

  test('says when it is over, and why', async () => {
    const { pipe, streams } = connected()
    await streams.follow(1, async function* () {
      yield 'only'
    })
    await streams.follow(2, async function* () {
      yield 'first'
      throw new Error('broken')
    })
    expect(pipe.frames).toEqual([
      { id: 1, line: 'only' },
      { id: 1, end: true },
      { id: 2, line: 'first' },
      { id: 2, error: { code: 'failed', message: 'broken' } },
    ])
  })
})

test('a tab that never reads keeps less than 2 MB waiting, and its sources wait with it', async () => {
  const { pipe, streams } = connected()
  pipe.isReading = false
  const line = 'x'.repeat(200_000)
  const sources = Array.from({ length: 20 }, () => source(line))
  for (const [id, { lines }] of sources.entries()) {
    void streams.follow(id, lines)
    streams.grant(id, 10_000)
  }
  void streams.call(99, async () => line)
  await settle()
  expect(pipe.most).toBeGreaterThan(1_000_000)
  expect(pipe.most).toBeLessThan(2 * 1024 * 1024)
  expect(sources.map(({ told }) => told.asked).filter((asked) => asked > 2)).toEqual([])
  const before = pipe.frames.length
  pipe.read()
  await once(pipe, 'frame')
  await settle()
  expect(pipe.frames.length).toBeGreaterThan(before)
  expect(pipe.most).toBeLessThan(2 * 1024 * 1024)
})

test('a tab that never reads has few of its calls answered, and no stream asked for more', async () => {
  const { pipe, streams } = connected()
  pipe.isReading = false
  const filling = source('x'.repeat(2_000_000))
  void streams.follow(0, filling.lines)
  await settle()
  let asked = 0
  const answers = Array.from({ length: 100 }, (_, number) =>
    streams.call(number + 1, async () => {
      asked += 1
      return 'x'.repeat(3_000_000)
    }),
  )
  await settle()
  expect([asked, filling.told.asked]).toEqual([8, 1])
  pipe.isReading = true
  pipe.read()
  await Promise.all(answers)
  expect(pipe.frames.filter(({ result }) => result !== undefined)).toHaveLength(100)
})

test('calls that have not begun when their tab is gone never begin', async () => {
  const { streams } = connected()
  let asked = 0
  const calls = Array.from({ length: 20 }, (_, id) =>
    streams.call(id, async (signal) => {
      asked += 1
      await once(signal, 'abort')
    }),
  )
  streams.closeAll()
  await Promise.all(calls)
  expect(asked).toBe(8)
})

test('slow calls take no place from the others', async () => {
  const { pipe, streams } = connected()
  let asked = 0
  for (let id = 0; id < 20; id += 1)
    void streams.call(
      id,
      async (signal) => {
        asked += 1
        await once(signal, 'abort')
      },
      true,
    )
  await streams.call(20, async () => 'interrupted')
  expect([asked, pipe.frames]).toEqual([8, [{ id: 20, result: 'interrupted' }]])
  streams.closeAll()
})

test('so it is on a real socket, and a tab that reads again gets all of it', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  const tab = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => tab.terminate())
  const [ws] = (await once(server, 'connection')) as [WebSocket]
  if (tab.readyState !== WebSocket.OPEN) await once(tab, 'open')
  tab.pause()
  const streams = new PageStreams(new Outlet(ws), never)
  const line = 'x'.repeat(200_000)
  for (let id = 0; id < 4; id += 1) void streams.follow(id, source(line).lines)
  await settle()
  const waiting = ws.bufferedAmount
  expect(waiting).toBeGreaterThan(1_000_000)
  expect(waiting).toBeLessThan(2 * 1024 * 1024)
  const read: unknown[] = []
  tab.on('message', (message) => void read.push(message))
  tab.resume()
  while (read.length < 4 * firstCredit) await once(tab, 'message')
  await settle()
  expect(ws.bufferedAmount).toBe(0)
})

describe('a call', () => {
  test('is answered once, by its number', async () => {
    const { pipe, streams } = connected()
    await Promise.all([streams.call(7, async () => ({ a: 1 })), streams.call(8, async () => undefined)])
    expect(pipe.frames).toEqual([
      { id: 7, result: { a: 1 } },
      { id: 8, result: null },
    ])
  })

  test('whose number is in use is refused, and the other one goes on', async () => {
    const { pipe, streams } = connected()
    let finish: (result: string) => void = () => undefined
    const first = streams.call(1, () => new Promise((resolve) => (finish = resolve)))
    await streams.call(1, async () => 'second')
    expect(pipe.frames).toMatchObject([{ id: 1, error: { code: 'usage' } }])
    finish('first')
    await first
    expect(pipe.frames[1]).toEqual({ id: 1, result: 'first' })
  })

  test('beyond what a page has open is refused', async () => {
    const { pipe, streams } = connected()
    for (let id = 0; id < 128; id += 1) void streams.follow(id, source().lines)
    await settle()
    await streams.call(999, async () => 'one more')
    expect(pipe.frames.at(-1)).toMatchObject({ id: 999, error: { code: 'rate_limited' } })
  })

  test('that is closed has its signal aborted and no answer', async () => {
    const { pipe, streams } = connected()
    const call = streams.call(1, async (signal) => {
      await once(signal, 'abort')
      return 'late'
    })
    streams.closeAll()
    await call
    expect(pipe.frames).toEqual([])
  })
})
