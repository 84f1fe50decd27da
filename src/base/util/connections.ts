import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A quarter of the files that this process may open: the rest is for what it cannot do without. */
const share = 4
const [fewest, most] = [8, 4096]
/** Where the system does not tell. */
const usualFiles = 1024

/** So many connections may be open on a port that anybody on this machine can connect to. */
export const connectionRoom = (files: number = fileLimit() ?? usualFiles): number =>
  Math.min(most, Math.max(fewest, Math.floor(files / share)))

const fileLimit = (): number | null => {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === undefined ? null : Number(soft)
  } catch {
    return null
  }
}

/**
 * Keeps a server within its room. Where that is full, one more takes the place of the connection that has asked for nothing
 * for longest: so whoever only holds connections open keeps nobody out.
 */
export const limitConnections = (server: Server, room: number): void => {
  const open = new Set<Socket>()
  const idle = new Set<Socket>()
  const forget = (socket: Socket): Socket => {
    open.delete(socket)
    idle.delete(socket)
    return socket
  }
  server.on('connection', (socket: Socket) => {
    if (open.size >= room) forget(idle.values().next().value ?? socket).destroy()
    if (socket.destroyed) return
    open.add(socket)
    idle.add(socket)
    socket.once('close', () => forget(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    response.once('close', () => void (open.has(socket) && idle.add(socket)))
  })
}
