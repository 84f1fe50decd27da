import { once } from 'node:events'
import { lstatSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { version } from '../../src/base/util/version.ts'
import type { Box } from './harness.ts'

export const leftovers = ['socket', 'registration', 'lock', 'endpoint'] as const
export type Leftover = (typeof leftovers)[number]

export const listening = async (server: Server, on: string | number): Promise<Server> => {
  server.listen(on)
  await once(server, 'listening')
  return server
}

/** What a daemon leaves behind that had no time to clean up: a socket that nobody serves. */
const leaveSocket = async (path: string): Promise<void> => {
  const server = await listening(createServer(), `${path}-`)
  renameSync(`${path}-`, path)
  server.close()
  await once(server, 'close')
}

const leave: Record<Leftover, (box: Box) => unknown> = {
  socket: ({ paths }) => leaveSocket(paths.socket),
  // The pid is reused: it is our own.
  registration: ({ paths }) =>
    writeFileSync(
      paths.registration,
      JSON.stringify({ id: 'old', version, pid: process.pid, startTime: '1', socket: paths.socket, port: 1 }),
    ),
  lock: ({ paths }) => writeFileSync(paths.lock, ''),
  endpoint: ({ paths }) => writeFileSync(paths.endpoint, '{"port":70000,"token":'),
}

/** Starts a daemon where an earlier one has left this, and stops it. */
export const startOver = async (box: Box, which: readonly Leftover[]) => {
  for (const dir of [box.paths.state, box.paths.runtime]) mkdirSync(dir, { mode: 0o700 })
  for (const one of which) await leave[one](box)
  const { pid: started } = await box.client().status()
  const registered = box.registered()?.pid
  return { started, registered, stopped: await box.client().stop() }
}

/** Many clients start a daemon at once, twice as many as given; then some more daemons come too late. */
export const startAtOnce = async (box: Box, clients: number) => {
  const inode = (): number => lstatSync(box.paths.socket).ino
  const hellos = () => Array.from({ length: clients }, () => box.client().hello())
  const first = Promise.race(hellos()).then(inode)
  const answers = await Promise.all(hellos())
  const losers = await Promise.all(Array.from({ length: Math.ceil(clients / 7) }, () => box.daemon()))
  const ends = await Promise.all(losers.map(({ ended }) => ended))
  const { id } = await box.client().hello()
  const served = answers.every((answer) => answer.id === id) && box.registered()?.id === id
  return { daemons: new Set(answers.map((answer) => answer.id)).size, served, ends, inodes: [await first, inode()] }
}
