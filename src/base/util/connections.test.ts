import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connectionRoom, limitConnections, unreadEnder } from './connections.ts'

test.each([
  [16, 8],
  [256, 64],
  [20_000, 4096],
  [1_048_576, 4096],
])('of %i files that may be open, a port gets %i connections', (files, room) => {
  expect(connectionRoom(files)).toBe(room)
})

const served = async (room: number, answer: (ask: number) => Promise<void>) => {
  let asked = 0
  const server = createServer((_, response) => void answer((asked += 1)).then(() => response.end('yes')))
  limitConnections(server, room)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
    const [known] = await Promise.all([once(server, 'connection'), once(socket, 'connect')])
    expect(known).toBeDefined()
    return socket
  }
  return { server, open }
}

const ask = (socket: Socket, more = ''): void => void socket.write(`GET / HTTP/1.1\r\nhost: x\r\n${more}\r\n`)

test('one more connection than there is room for takes the place of the one that has been idle for longest', async () => {
  const { open } = await served(2, () => Promise.resolve())
  const [first, second] = [await open(), await open()]
  const gone = once(first, 'close')
  const third = await open()
  await gone
  for (const socket of [second, third]) {
    ask(socket, 'connection: close\r\n')
    expect(await text(socket)).toMatch(/yes/)
  }
})

test('one that waits for its answer keeps its place, also against many', async () => {
  let go = (): void => undefined
  const { server, open } = await served(1, () => new Promise((resolve) => (go = resolve)))
  const waiting = await open()
  ask(waiting, 'connection: close\r\n')
  await once(server, 'request')
  const other = await open()
  await once(other, 'close')
  go()
  expect(await text(waiting)).toMatch(/yes/)
})

/** More than the kernel takes for a client that does not read. */
const longAnswer = 'x'.repeat(64 * 1024 * 1024)

const servedLong = async (room: number) => {
  let now = 0
  const server = createServer((_, response) => response.end(longAnswer))
  limitConnections(server, room)
  const end = unreadEnder(server, () => now)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const open = (): Socket => connect(port, '127.0.0.1').on('error', () => undefined)
  /** Has the beginning of its answer, and reads no more. */
  const openUnread = async (): Promise<Socket> => {
    const socket = open().pause()
    onTestFinished(() => void socket.destroy())
    ask(socket)
    await once(socket, 'readable')
    return socket
  }
  const pass = (ms: number): void => {
    now += ms
    end()
  }
  return { server, open, openUnread, pass }
}

test('those who do not read their answers give way, the oldest first, when there is no room', async () => {
  const { server, open, openUnread } = await servedLong(2)
  const accepted: Socket[] = []
  server.on('connection', (socket: Socket) => accepted.push(socket))
  await openUnread()
  await openUnread()
  const third = open()
  ask(third, 'connection: close\r\n')
  expect((await text(third)).length).toBeGreaterThan(longAnswer.length)
  expect(accepted.slice(0, 2).map(({ destroyed }) => destroyed)).toEqual([true, false])
})

test('a client that reads none of its answer for a minute is cut off; one that reads it is not', async () => {
  const { server, open, openUnread, pass } = await servedLong(9)
  const [stuck] = await Promise.all([once(server, 'connection'), openUnread()])
  const isGone = once(stuck[0] as Socket, 'close')
  const reader = open()
  ask(reader, 'connection: close\r\n')
  let read = 0
  reader.on('data', (chunk: Buffer) => {
    read += chunk.length
    pass(30)
  })
  await once(reader, 'close')
  expect(read).toBeGreaterThan(longAnswer.length)
  for (let times = 0; times < 3; times += 1) pass(60_000)
  await isGone
})
