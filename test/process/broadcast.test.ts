import { once } from 'node:events'
import { lstatSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { connect, type Server as SocketServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { streamTurns } from '../../src/features/channels/broadcast/sse.ts'
import { LineSplitter } from '../../src/base/util/line-splitter.ts'
import { type Broadcaster, nthLine, nthTurn, socketIn, startBroadcaster } from '../support/broadcaster.ts'
import { agentRef, tempDir } from '../support/builders.ts'
import { turnRecords } from '../support/turn-records.ts'
import { until } from './harness.ts'

const bytes = 300
/** No time at all: who has not taken everything when it is asked for is stuck. */
const stuckMs = 0
let dir: string
let broadcaster: Broadcaster
beforeEach(async () => {
  dir = tempDir()
  broadcaster = await startBroadcaster(dir, stuckMs)
  onTestFinished(() => close(broadcaster))
})

const close = async ({ broadcast, server, log }: Broadcaster): Promise<void> => {
  broadcast.close()
  await new Promise((resolve) => server.close(resolve))
  await log.close()
}

const turn = (n: number): Promise<number[]> => broadcaster.log.append(nthTurn(n, bytes))
const line = (n: number): string => nthLine(n, bytes).toString().trimEnd()
const connections = (server: SocketServer): Promise<number> => promisify(server.getConnections.bind(server))()

class Subscriber {
  readonly socket: Socket
  readonly lines: string[] = []
  readonly closed: Promise<unknown>

  constructor(more: { allowHalfOpen?: boolean } = {}) {
    const splitter = new LineSplitter()
    this.socket = connect({ path: socketIn(dir), ...more })
    this.closed = once(this.socket, 'close')
    this.socket.on('data', (chunk: Buffer) => this.lines.push(...splitter.push(chunk)))
    onTestFinished(() => void this.socket.destroy())
  }

  async until(count: number): Promise<string[]> {
    while (this.lines.length < count) await once(this.socket, 'data')
    return this.lines
  }
}

/** One whom the server knows. */
const subscribed = async (...how: ConstructorParameters<typeof Subscriber>): Promise<Subscriber> => {
  const isKnown = once(broadcaster.server, 'connection')
  const subscriber = new Subscriber(...how)
  await isKnown
  return subscriber
}

describe('output.sock', () => {
  test('is for its owner alone, and gone with the daemon', async () => {
    expect(lstatSync(socketIn(dir)).mode & 0o777).toBe(0o600)
    await subscribed()
    await close(broadcaster)
    expect(lstatSync(socketIn(dir), { throwIfNoEntry: false })).toBeUndefined()
  })

  test('who says nothing gets the turns that end from then on', async () => {
    await turn(0)
    const subscriber = await subscribed()
    await turn(1)
    await turn(2)
    expect(await subscriber.until(2)).toEqual([line(1), line(2)])
  })

  test('who names a position gets what follows it, whenever that was and is', async () => {
    const [, , position = 0] = await turn(0)
    await turn(1)
    const subscriber = await subscribed()
    subscriber.socket.write(`{"after":${position}}\n`)
    await turn(2)
    expect(await subscriber.until(2)).toEqual([line(1), line(2)])
  })

  test('a position that comes late is heeded all the same', async () => {
    await turn(0)
    const subscriber = await subscribed()
    await turn(1)
    await subscriber.until(1)
    subscriber.socket.write('{"after":0}\n')
    expect(await subscriber.until(3)).toEqual([line(1), line(0), line(1)])
  })

  test('a position that never was is told, and the newest takes its place', async () => {
    await turn(0)
    const subscriber = await subscribed()
    subscriber.socket.write('{"after":99}\n')
    await subscriber.until(1)
    await turn(1)
    expect(await subscriber.until(2)).toEqual(['{"gap":{"after":99,"until":3}}', line(1)])
  })

  test.each(['hello', '{"after":"3"}', '{"after":-1}', '{"aft', 'GET / HTTP/1.1\r\nHost: x\r\n\r'])(
    '%j is answered with what could be said',
    async (said) => {
      const subscriber = await subscribed()
      subscriber.socket.end(`${said}\n`)
      await subscriber.closed
      expect(subscriber.lines).toEqual([expect.stringContaining('Say nothing, or one line: {\\"after\\": SEQ}')])
    },
  )

  test('who talks and talks is dropped', async () => {
    const subscriber = await subscribed()
    subscriber.socket.on('error', () => undefined).write('x'.repeat(5000))
    await subscriber.closed
    expect(subscriber.lines).toEqual([])
  })

  test('who has hung up on its side gets what there is, and then the end', async () => {
    await turn(0)
    await turn(1)
    const subscriber = await subscribed({ allowHalfOpen: true })
    subscriber.socket.end('{"after":0}')
    await subscriber.closed
    expect(subscriber.lines).toEqual([line(0), line(1)])
  })

  test('who reads nothing is sent away, also if it has hung up on its side', async () => {
    const stuck = [await subscribed(), await subscribed({ allowHalfOpen: true })]
    for (const { socket } of stuck) socket.pause().on('error', () => undefined)
    stuck[1]?.socket.end('{"after":0}\n')
    await Promise.all(Array.from({ length: 100 }, (_, n) => broadcaster.log.append(nthTurn(n, 30_000))))
    await until(async () => {
      broadcaster.broadcast.endStuck()
      return (await connections(broadcaster.server)) === 0
    })
    const subscriber = await subscribed()
    subscriber.socket.write('{"after":297}\n')
    expect(await subscriber.until(1)).toEqual([nthLine(99, 30_000).toString().trimEnd()])
  })

  test('400 that connect and drop at once harm nobody, and leave nothing behind', async () => {
    const subscriber = await subscribed()
    for (let n = 0; n < 400; n += 1) {
      const socket = connect(socketIn(dir)).on('error', () => undefined)
      if (n % 4 === 0) socket.write('{"after":0}\n')
      if (n % 4 === 1) socket.write('{"aft')
      if (n % 4 === 2) await once(socket, 'connect')
      socket.destroy()
      if (n % 40 === 0) await turn(n / 40)
    }
    expect(await subscriber.until(10)).toEqual(Array.from({ length: 10 }, (_, n) => line(n)))
    await until(async () => (await connections(broadcaster.server)) <= 1)
  })
})

describe('/v1/turns', () => {
  let server: Server
  beforeEach(async () => {
    server = createServer((request, response) => {
      const { searchParams: asked } = new URL(request.url ?? '', 'http://rein')
      const after = asked.get('after')
      const wanted = { after: after === null ? null : Number(after), agent: asked.get('agent') }
      streamTurns(broadcaster.broadcast, request, response, wanted)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
  })

  const events = async (path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> => {
    const { port } = server.address() as { port: number }
    const [response] = (await once(get({ port, path, headers }), 'response')) as [IncomingMessage]
    onTestFinished(() => void response.destroy())
    return response.setEncoding('utf8')
  }

  const untilText = async (response: IncomingMessage, length: number): Promise<string> => {
    let text = ''
    while (text.length < length) text += ((await once(response, 'data')) as [string])[0]
    return text
  }

  const event = (n: number): string => `id: ${3 * (n + 1)}\nevent: turn\ndata: ${line(n)}\n\n`

  test('is a stream of events: those after a position, then those that come', async () => {
    await turn(0)
    await turn(1)
    const response = await events('/v1/turns?after=3')
    expect(response.headers['content-type']).toBe('text/event-stream')
    await turn(2)
    const expected = event(1) + event(2)
    expect(await untilText(response, expected.length)).toBe(expected)
  })

  test('who comes back goes on after its last event, whatever it asked for at first', async () => {
    for (let n = 0; n < 3; n += 1) await turn(n)
    const response = await events('/v1/turns?after=0', { 'last-event-id': '6' })
    expect(await untilText(response, event(2).length)).toBe(event(2))
  })

  test('of one agent: its turns, and no others', async () => {
    await turn(0)
    await broadcaster.log.append(turnRecords({ turn: 'other', agent: 'agt_other' }))
    const response = await events(`/v1/turns?after=0&agent=${agentRef.id}`)
    await turn(2)
    const expected = event(0) + event(2)
    expect(await untilText(response, expected.length)).toBe(expected)
  })

  test('without a position: from then on; and it ends with the daemon', async () => {
    await turn(0)
    const response = await events('/v1/turns')
    await turn(1)
    expect(await untilText(response, event(1).length)).toBe(event(1))
    const ended = once(response, 'end')
    broadcaster.broadcast.close()
    await ended
  })
})
