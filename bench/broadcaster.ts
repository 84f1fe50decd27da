import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { nthLine, nthTurn, socketIn, startBroadcaster } from '../test/support/broadcaster.ts'
import { serveRole } from './role.ts'

export interface BroadcastOrder {
  /** How many turns were broadcast before. */
  from: number
  turns: number
  bytes: number
}

export interface BroadcastResult {
  /** When the first turn was handed over, in milliseconds since 1970. */
  at: number
  residentMB: number
  mostMB: number
  connections: number
}

export const clock = (): number => performance.timeOrigin + performance.now()

const memory = (name: string): number =>
  (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024) / 1e6

const perform = async (server: Server, send: () => Promise<unknown>): Promise<BroadcastResult> => {
  const at = clock()
  await send()
  const connections = await promisify(server.getConnections.bind(server))()
  return { at, residentMB: memory('VmRSS'), mostMB: memory('VmHWM'), connections }
}

/** Rein: every turn is appended to the log, and goes to the subscribers from there. */
export const broadcaster = (dir: string): void => {
  const started = startBroadcaster(dir)
  serveRole(async ({ from, turns, bytes }: BroadcastOrder) => {
    const { log, server } = await started
    const appendAll = () => Promise.all(Array.from({ length: turns }, (_, n) => log.append(nthTurn(from + n, bytes))))
    return perform(server, appendAll)
  })
}

/** Writes the same lines to every socket, and waits for those that are full: what any broadcast costs at least. */
export const bareBroadcaster = (dir: string): void => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  server.listen({ path: socketIn(dir), backlog: 4096 })
  const writeAll = async (line: Buffer): Promise<void> => {
    const full = [...sockets].filter((socket) => !socket.write(line))
    await Promise.all(full.map((socket) => once(socket, 'drain')))
  }
  serveRole(async ({ from, turns, bytes }: BroadcastOrder) => {
    const lines = Array.from({ length: turns }, (_, n) => nthLine(from + n, bytes))
    return perform(server, async () => {
      for (const line of lines) await writeAll(line)
    })
  })
}
