import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { FrameReader, messageFrame } from '../../base/util/frames.ts'
import { Connection } from './connection.ts'
import type { Keeper } from './keeper.ts'

const mock = () => vi.fn<(...given: unknown[]) => void>()

/** A client whose end of the socket is read only when it is told to. */
const fakeClient = () => {
  const reader = new FrameReader()
  const messages: unknown[] = []
  let goOn: (() => void) | null = null
  let isStalled = false
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      for (const frame of reader.push(chunk)) if (frame.kind === 'message') messages.push(frame.value)
      if (isStalled) goOn = done
      else done()
    },
  })
  const terminal = { attach: mock(), detach: mock(), activate: mock(), showAgain: mock() }
  const keeper = { find: () => terminal, left: mock(), hangUp: mock() }
  const connection = new Connection(socket as unknown as Socket, keeper as unknown as Keeper)
  const send = (...values: unknown[]): boolean => socket.push(Buffer.concat(values.map(messageFrame)))
  const stall = (): void => void (isStalled = true)
  const readOn = (): void => {
    isStalled = false
    goOn?.()
  }
  return { connection, socket, terminal, messages, send, stall, readOn }
}

const size = { columns: 80, rows: 24 }

test.each([null, 1, 'text', []])('who sends %j as a request is not listened to any more', async (value) => {
  const { socket, send } = fakeClient()
  send(value)
  await once(socket, 'close')
  expect(socket.destroyed).toBe(true)
})

test('requests that nobody can carry out are answered, and change nothing', async () => {
  const { terminal, messages, send } = fakeClient()
  const sizes = [{ columns: 0, rows: 24 }, { columns: 80 }, { columns: 1e9, rows: 24 }, undefined]
  send(
    { id: 1, op: 'constructor' },
    { id: 1 },
    ...sizes.map((given) => ({ id: 1, op: 'attach', agent: 'a', size: given })),
  )
  send({ id: 1, op: 'resize', size: { columns: Number.NaN, rows: 1 } }, { id: 2, op: 'watch' })
  await vi.waitFor(() => expect(messages).toContainEqual({ id: 2, ok: null }))
  expect(messages.filter((message) => Object.hasOwn(message as object, 'error'))).toHaveLength(7)
  expect(terminal.attach).not.toHaveBeenCalled()
})

test('a view that does not read is kept, and gets a new picture when it does', async () => {
  const { connection, socket, terminal, send, stall, readOn } = fakeClient()
  send({ id: 1, op: 'attach', agent: 'a', size, isOwner: true })
  await vi.waitFor(() => expect(terminal.attach).toHaveBeenCalledOnce())
  stall()
  const megabyte = Buffer.alloc(1024 * 1024)
  for (let sent = 0; sent < 20; sent += 1) connection.show(megabyte)
  expect(socket.writableLength).toBeLessThan(6 * megabyte.length)
  expect(socket.destroyed).toBe(false)
  readOn()
  await vi.waitFor(() => expect(terminal.showAgain).toHaveBeenCalledExactlyOnceWith(connection))
})
