import { readFileSync } from 'node:fs'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { Uptake } from './uptake.ts'

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
 * Limits the connections of a server. A new one beyond the limit replaces the one that has been idle for longest, else the
 * oldest whose client has not read its answers: a client that only holds connections open locks no one out. What is returned
 * keeps a connection that was upgraded: it has no requests any more that would show that it is in use.
 */
export const limitConnections = (server: Server, room: number): ((socket: Socket) => void) => {
  /** With the answers that each waits for or has not read, oldest connection first. */
  const open = new Map<Socket, Set<ServerResponse>>()
  const idle = new Set<Socket>()
  const forget = (socket: Socket): Socket => {
    open.delete(socket)
    idle.delete(socket)
    return socket
  }
  const findUnread = (): Socket | undefined => {
    for (const [socket, answers] of open)
      if (answers.size > 0 && [...answers].every(({ writableEnded }) => writableEnded)) return socket
    return undefined
  }
  server.on('connection', (socket: Socket) => {
    // Given to the server again, to read a request anew.
    if (open.has(socket)) return
    if (open.size >= room) forget(idle.values().next().value ?? findUnread() ?? socket).destroy()
    if (socket.destroyed) return
    open.set(socket, new Set())
    idle.add(socket)
    socket.once('close', () => forget(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket)
    const answers = open.get(socket)
    answers?.add(response)
    response.once('close', () => {
      answers?.delete(response)
      // A client may ask again before it has its answer.
      if (answers?.size === 0 && open.has(socket)) idle.add(socket)
    })
  })
  return (socket) => void idle.delete(socket)
}

/** A client that took nothing of what waits for it for so long reads it no more. */
const unreadMs = 60_000

/** What is returned ends the connections of a server whose clients do not read: else they would hold their answers for ever. */
export const unreadEnder = (server: Server, now: () => number = () => performance.now()): (() => void) => {
  const uptakes = new Map<Socket, Uptake>()
  server.on('connection', (socket: Socket) => {
    if (uptakes.has(socket)) return
    uptakes.set(socket, new Uptake(socket, now))
    socket.once('close', () => uptakes.delete(socket))
  })
  return () => {
    for (const [socket, uptake] of uptakes) if (uptake.look().stillMs >= unreadMs) socket.destroy()
  }
}
