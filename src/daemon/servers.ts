import { randomBytes } from 'node:crypto'
import { lstatSync, renameSync, unlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Server as SocketServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { ReinError } from '../contract/errors.ts'
import { onBeat } from '../base/util/beat.ts'
import { connectionRoom, limitConnections, unreadEnder } from '../base/util/connections.ts'
import type { Env } from './requests.ts'
import { isPageUpgrade, pageElsewhere, passesGate } from './gate.ts'
import { pageHeaders } from './page-headers.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'

type App = Hono<Env>
type Listener = (request: IncomingMessage, response: ServerResponse) => void

const listener = (app: App, overSocket: boolean): Listener => {
  const handle = getRequestListener((request, env) => app.fetch(request, { ...env, overSocket }), {
    overrideGlobalObjects: false,
  })
  return (request, response) => void handle(request, response)
}

/** A peer that drops its connection is no reason to end: every server and socket has its handler. */
const guarded = (handle: Listener, more: ServerOptions = {}): Server => {
  const server = createServer({ keepAliveTimeout: 30_000, ...more }, handle)
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()))
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

/** Any process of this machine can connect to the port and send nothing, or a part of a request. */
const portTimeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 }

const unreadCheckMs = 15_000

/** After a restart all subscribers come back at once: more of them wait than Node would let. */
const backlog = 4096

const listen = (server: SocketServer, on: { path: string } | { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ ...on, backlog }, () => {
      server.off('error', reject)
      server.on('error', () => undefined)
      resolve()
    })
  })

export const serveSocket = (app: App, path: string): Promise<Server> => listenAt(guarded(listener(app, true)), path)

/** Listens at a path, for this user alone. Only the holder of the lock calls this, so a socket that is there is a dead one's. */
export const listenAt = async <S extends SocketServer>(server: S, path: string): Promise<S> => {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false)
    throw new ReinError('refused', `${path} is not a socket.`, 'Move it away.')
  // Node unlinks the path it bound when it closes, even if another server owns it by then: so it binds a unique one.
  const draft = join(dirname(path), randomBytes(4).toString('hex'))
  const before = process.umask(0o177)
  try {
    await listen(server, { path: draft })
  } finally {
    process.umask(before)
  }
  renameSync(draft, path)
  const { ino } = lstatSync(path)
  server.once('close', () => isStill(path, ino) && unlinkSync(path))
  return server
}

/** Whether the file at this path still has this inode number; true where that cannot be read. */
export const isStill = (path: string, ino: number): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.ino === ino
  } catch {
    return true
  }
}

interface Port {
  /** The first of these that can be had, else any. */
  wanted: readonly number[]
  /** Other names of the port, from the setting `web.hosts`. */
  hosts: readonly string[]
  /** The page connects. Until it has proven itself, its connection gives way to others. */
  onUpgrade: (request: IncomingMessage, socket: Socket, head: Buffer, onProven: () => void) => void
  /** Awaited before any other port is served. */
  onRefused: (port: number, cause: NodeJS.ErrnoException) => Promise<void>
}

/** Serves the guarded loopback port. */
export const servePort = async (
  app: App,
  { wanted, hosts, onUpgrade, onRefused }: Port,
): Promise<{ server: Server; port: number }> => {
  let port = 0
  const handle = listener(app, false)
  const server = guarded((request, response) => {
    for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value)
    if (!passesGate(request, port, hosts)) return void response.writeHead(403).end()
    const location = pageElsewhere(request, port, hosts)
    if (location === null) return handle(request, response)
    // Not for good: another program may have this port tomorrow.
    response.writeHead(302, { location, 'cache-control': 'no-store' }).end()
  }, portTimeouts)
  const keep = limitConnections(server, connectionRoom())
  server.once('close', onBeat(unreadCheckMs, unreadEnder(server)))
  // Node hands over every upgrade once it hands over one; these do not pass the app.
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (passesGate(request, port, hosts) && isPageUpgrade(request))
      return onUpgrade(request, socket, head, () => keep(socket))
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return readAgain(server, request, socket, head)
    refuseUpgrade(socket, 403)
  })
  for (const one of new Set([...wanted, 0])) {
    if (server.listening) break
    await listen(server, { host: '127.0.0.1', port: one }).catch((cause: NodeJS.ErrnoException) => {
      if (one === 0) throw cause
      return onRefused(one, cause)
    })
  }
  port = (server.address() as AddressInfo).port
  return { server, port }
}

/**
 * Some clients offer HTTP/2 with each request; whoever does not know a protocol answers as if it were not offered.
 * A connection is given to the server again once, with its last request: each time adds to what is kept for it.
 */
const readAgain = (server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void => {
  const { rawHeaders, method, url } = request
  const kept = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || ['upgrade', 'connection'].includes(name.toLowerCase())
      ? []
      : [`${name}: ${rawHeaders[index + 1]}`],
  )
  const lines = [...kept, 'connection: close']
  socket.unshift(
    Buffer.concat([Buffer.from(`${[`${method} ${url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), head]),
  )
  server.emit('connection', socket)
}

/** Resolves when a daemon answers on the socket. */
export const untilServed = async (path: string, ms: number): Promise<boolean> => {
  const deadline = Date.now() + ms
  while (Date.now() < deadline) {
    if (await answers(path)) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
