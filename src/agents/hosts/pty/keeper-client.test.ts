import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { FrameReader, messageFrame } from '../../../base/util/frames.ts'
import { KeeperClient } from './keeper-client.ts'

interface Asked {
  id: number
  op: string
  socket: Socket
}

/** A keeper that answers when it is told to. */
const fakeKeeper = async () => {
  const asked: Asked[] = []
  const sockets: Socket[] = []
  const path = join(tempDir(), 'pty.sock')
  const server = createServer((socket) => {
    sockets.push(socket)
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk))
        if (frame.kind === 'message') asked.push({ ...(frame.value as { id: number; op: string }), socket })
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const next = (op: string): Promise<Asked> =>
    vi.waitFor(() => {
      const index = asked.findIndex((one) => one.op === op)
      if (index < 0) throw new Error(`${op} was not asked.`)
      return asked.splice(index, 1)[0] as Asked
    })
  return { client: new KeeperClient(path, ''), sockets, next }
}

const answer = ({ id, socket }: Asked, ok: unknown): boolean => socket.write(messageFrame({ id, ok }))

test('the last one who listens leaves: what is asked is still answered', async () => {
  const { client, next } = await fakeKeeper()
  const stop = client.onChange('a', () => undefined)
  const end = client.ask('end', { agent: 'a' })
  const asked = await next('end')
  stop()
  answer(asked, { code: 7 })
  expect(await end).toEqual({ code: 7 })
})

test('a connection that was given up before takes nothing of the next one along', async () => {
  const { client, sockets, next } = await fakeKeeper()
  const changed = vi.fn<() => void>()
  const first = client.ask('read', { agent: 'a' })
  const onFirst = await next('read')
  client.close()
  client.onChange('b', changed)
  const second = client.ask('read', { agent: 'b' })
  const onSecond = await next('read')
  sockets[0]?.destroy()
  await expect(first).rejects.toMatchObject({ message: 'The keeper of terminals has ended.' })
  answer(onSecond, { text: 'b' })
  expect(await second).toEqual({ text: 'b' })
  expect(onFirst.socket).not.toBe(onSecond.socket)
  expect(changed).not.toHaveBeenCalled()
})

test('who listens hears that the keeper has ended', async () => {
  const { client, sockets, next } = await fakeKeeper()
  const changed = vi.fn<() => void>()
  client.onChange('a', changed)
  const read = client.ask('read', { agent: 'a' })
  await next('read')
  sockets[0]?.destroy()
  await expect(read).rejects.toMatchObject({ code: 'refused' })
  await vi.waitFor(() => expect(changed).toHaveBeenCalledOnce())
})
