import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Uptake } from './uptake.ts'

/** Both ends of a connection; the client reads nothing yet. */
const connected = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  const [socket] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    for (const end of [client, socket, server.close()]) if ('destroy' in end) end.destroy()
  })
  let now = 0
  const uptake = new Uptake(socket, () => now)
  const look = () => {
    now += 1000
    return uptake.look()
  }
  return { client, socket, look }
}

const bytes = 64 * 1024 * 1024

test('of a client that reads nothing: standing still, also when more is sent to it', async () => {
  const { socket, look } = await connected()
  expect(look()).toEqual({ isMoving: false, stillMs: 0 })
  socket.write(Buffer.alloc(bytes))
  // The buffers of the kernel fill first.
  for (let still = 0; still < 5000; still = look().stillMs) {
    socket.write('ping')
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(socket.writableLength).toBeGreaterThan(0)
})

test('of a client that reads: moving until it has all, then nothing waits', async () => {
  const { client, socket, look } = await connected()
  const drained = once(socket, 'drain')
  socket.write(Buffer.alloc(bytes))
  look()
  let read = 0
  let moves = 0
  const whole = new Promise<void>((resolve) => {
    client.on('data', (chunk: Buffer) => {
      read += chunk.length
      if (read < bytes && look().isMoving) moves += 1
      if (read === bytes) resolve()
    })
  })
  client.resume()
  await Promise.all([whole, drained])
  expect(moves).toBeGreaterThan(10)
  look()
  expect(look()).toEqual({ isMoving: false, stillMs: 0 })
})
