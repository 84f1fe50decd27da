import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { killProcess } from '../support/kill.ts'
import { type Box, createBox, until } from './harness.ts'

const [fileLimit, crowd] = [256, 2000]
/** A daemon that may open so few files that a crowd on its port would take them all. */
const withFewFiles = ['sh', '-c', `ulimit -n ${fileLimit}; exec "$@"`, 'sh']

const up = (box: Box, handle: string) =>
  box.client().up({
    handle,
    driver: 'claude',
    host: 'stream',
    request: { cwd: box.cwd, env: {}, args: [], restart: false },
    env: box.env,
  })

/** Connections that ask for nothing, of whoever can reach the port: all of them are open, or were turned away. */
const crowdAt = async (port: number): Promise<Socket[]> => {
  const sockets = [...Array(crowd).keys()].map(() => connect(port, '127.0.0.1').on('error', () => undefined))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])))
  return sockets
}

test('a crowd on the port ends no agent, and keeps nobody from the socket or from the port', async () => {
  const box = createBox()
  const first = await box.daemon()
  const [living, dying] = [await up(box, 'living'), await up(box, 'dying')]
  await first.kill()
  // Those that were taken over are looked at by their pid.
  const daemon = await box.daemon({ through: withFewFiles })
  const port = box.registered()?.port ?? 0
  await crowdAt(port)
  const states = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await box.client({ start: false }).ps({})).map(({ handle, state }) => [handle, state]))
  // Of two that are looked at in the same moment, it knows which one is gone.
  killProcess(dying.pid ?? 0)
  await until(async () => (await states())['dying'] === 'crashed')
  expect(await states()).toEqual({ living: 'idle', dying: 'crashed' })
  expect(await box.rein(['ps'])).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('living') })
  expect(await box.rein(['tell', 'living', 'Still there?'])).toMatchObject({ code: 0, stderr: '' })
  const answer = await fetch(`http://127.0.0.1:${port}/v1/hello`)
  expect(answer.status).toBeLessThan(500)
  expect(box.registered()?.pid).toBe(daemon.pid)
  const known = await box.client({ start: false }).ps({})
  expect(known.find(({ handle }) => handle === 'living')).toMatchObject({ pid: living.pid })
})
