import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { connectionRoom, limitConnections } from './connections.ts'

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

test('one that is given to the server again takes no other place', async () => {
  const { server, open } = await served(2, () => Promise.resolve())
  const accepted: Socket[] = []
  server.prependListener('connection', (socket: Socket) => accepted.push(socket))
  const both = [await open(), await open()]
  server.emit('connection', accepted[1])
  expect(accepted.map(({ destroyed }) => destroyed)).toEqual([false, false, false])
  for (const socket of both) socket.destroy()
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
