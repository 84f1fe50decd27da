import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A quarter of the files that this process may open; the rest is for its own needs. */
const share = 4
const [fewest, most] = [8, 4096]
/** Where the system does not tell. */
const usualFiles = 1024

/** The most connections to a port that every user of this machine can connect to. */
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
 * Limits the connections of a server. A new one beyond the limit replaces the one that has been idle for longest, so that
 * a client that only holds connections open locks no one out. What is returned keeps a connection that was upgraded: it
 * has no requests any more that would show that it is in use.
 */
export const limitConnections = (server: Server, room: number): ((socket: Socket) => void) => {
  const open = new Set<Socket>()
  const idle = new Set<Socket>()
  const forget = (socket: Socket): Socket => {
    open.delete(socket)
    idle.delete(socket)
    return socket
  }
  server.on('connection', (socket: Socket) => {
    // Given to the server again, to read a request anew.
    if (open.has(socket)) return
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
  return (socket) => void idle.delete(socket)
}
