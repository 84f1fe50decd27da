import { once } from 'node:events'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { version } from '../../src/util/version.ts'
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
