import { lstatSync, unlinkSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { type HttpBindings, getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { ReinError } from '../contract/errors.ts'
import { passesGate } from './gate.ts'

type App = Hono<{ Bindings: HttpBindings & { overSocket: boolean } }>
type Listener = (request: IncomingMessage, response: ServerResponse) => void

const listener = (app: App, overSocket: boolean): Listener => {
  const handle = getRequestListener((request, env) => app.fetch(request, { ...env, overSocket }), {
    overrideGlobalObjects: false,
  })
  return (request, response) => void handle(request, response)
}

/** A peer that drops its connection is no reason to end: every server and socket has its handler. */
const guarded = (handle: Listener): Server => {
  const server = createServer({ keepAliveTimeout: 30_000 }, handle)
  server.on('connection', (socket) => socket.on('error', () => socket.destroy()))
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

const listen = (server: Server, on: { path: string } | { host: string; port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(on, () => {
      server.off('error', reject)
      server.on('error', () => undefined)
      resolve()
    })
  })

/** Serves the socket, for this user alone. Only the holder of the lock calls this, so a socket that is there is a dead one's. */
export const serveSocket = async (app: App, path: string): Promise<Server> => {
  clearStale(path)
  const server = guarded(listener(app, true))
  const before = process.umask(0o177)
  try {
    await listen(server, { path })
  } finally {
    process.umask(before)
  }
  return server
}

const clearStale = (path: string): void => {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new ReinError('refused', `${path} is not a socket.`, 'Move it away.')
  unlinkSync(path)
}

/** Serves the guarded loopback port: the kept one, or another if somebody has taken it. */
export const servePort = async (app: App, wanted: number): Promise<{ server: Server; port: number }> => {
  let port = wanted
  const handle = listener(app, false)
  const server = guarded((request, response) => {
    if (passesGate(request, port)) return handle(request, response)
    response.writeHead(403).end()
  })
  await listen(server, { host: '127.0.0.1', port: wanted }).catch(() => listen(server, { host: '127.0.0.1', port: 0 }))
  port = (server.address() as AddressInfo).port
  return { server, port }
}

/** Resolves when somebody answers on the socket. */
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
