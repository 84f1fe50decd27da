import type { IncomingMessage } from 'node:http'
import { ReinError } from '../contract/errors.ts'
import { versionHeader } from '../contract/headers.ts'
import type { AllRoutes, RouteName } from '../contract/routes/all.ts'
import type { Hello, Stopped } from '../contract/routes/daemon.ts'
import type { Card, OutputOf, ProgressLine, RequestOf } from '../contract/routes/route.ts'
import {
  type Connection,
  ensureDaemon,
  headersOf,
  freshHint,
  logHint,
  mustReplace,
  socketOf,
  stopDaemon,
  unreachable,
} from './connect.ts'
import { codeOf, isDaemonGone, nobodyListens, readJson, readLines, send } from './http.ts'
import { mcpHeaders, readMessages } from './mcp.ts'
import { type OnProgress, resultOf } from './progress.ts'
import { type RouteRow, routes } from './route-table.ts'

/** How a route is called: with its input and the parameters of its path in one object. */
type Method<C extends Card> = C extends { stream: true }
  ? (...given: Given<C, AbortSignal>) => AsyncGenerator<OutputOf<C>>
  : (...given: Given<C, C extends { progress: true } ? OnProgress : AbortSignal>) => Promise<OutputOf<C>>

/** The input may be left out where nothing of it is needed. */
type Given<C extends Card, More> =
  Record<string, never> extends RequestOf<C> ? [input?: RequestOf<C>, more?: More] : [input: RequestOf<C>, more?: More]

/** One method for each route that answers with JSON, by the name of its card. */
type Methods = {
  [Name in RouteName as AllRoutes[Name] extends { media: string } ? never : Name]: Method<AllRoutes[Name]>
}

export interface Client extends Omit<Methods, 'hello' | 'stop'> {
  /** Starts a daemon if there is none. */
  hello(): Promise<Hello>
  /** Resolves when the daemon's process has ended. */
  stop(): Promise<Stopped>
  /** Hands a message of an MCP client to the daemon; the answers are messages, too. */
  mcp(message: Record<string, unknown>, cwd: string): Promise<string[]>
}

interface Call {
  input?: object
  /** Beside the input, where that is the body. */
  query?: object
  headers?: Record<string, string>
  signal?: AbortSignal
  limitMs?: number
}

const usualLimitMs = 30_000

export const createClient = (connection: Connection): Client => {
  const rows = Object.entries<RouteRow>(routes).filter(([, { media }]) => media === undefined)
  return {
    ...(Object.fromEntries(
      rows.map(([name, row]) => [
        name,
        row.stream
          ? (input?: object, signal?: AbortSignal) => stream(connection, row, { input, signal })
          : row.progress
            ? (input?: object, onProgress?: OnProgress) =>
                resultOf(stream(connection, row, { input }) as AsyncGenerator<ProgressLine<unknown>>, onProgress)
            : (input?: object, signal?: AbortSignal) => request(connection, row, { input, signal }, answered(readJson)),
      ]),
    ) as Methods),
    hello: () => ensureDaemon(connection),
    stop: () => stopDaemon(connection),
    mcp: (message, cwd) => {
      const call = { input: message, query: { cwd }, headers: mcpHeaders(message) }
      return request(connection, routes.mcp, call, answered(readMessages))
    },
  }
}

interface Reading<T> {
  read: (response: IncomingMessage) => Promise<T>
  /** Whether a failure means that the next daemon is to be asked. */
  isGone: (cause: unknown) => boolean
}

const answered = <T>(read: Reading<T>['read']): Reading<T> => ({ read, isGone: isDaemonGone })

/** A stream may say nothing for hours: one that breaks off was not met by a dying daemon, and must not bring it back. */
const following: Reading<IncomingMessage> = { read: (response) => Promise.resolve(response), isGone: nobodyListens }

/** A change must not happen twice, so the daemon is greeted first. A read is simply repeated. */
const request = async <T>(
  connection: Connection,
  row: RouteRow,
  call: Call,
  { read, isGone }: Reading<T>,
): Promise<T> => {
  const limitMs = row.stream || row.progress ? undefined : (connection.timeoutMs ?? row.limitMs ?? usualLimitMs)
  const attempt = (): Promise<IncomingMessage> =>
    send(socketOf(connection), toRequest(connection, row, { ...call, limitMs }))
  try {
    if (row.method === 'GET') {
      try {
        const response = await attempt()
        const daemonVersion = response.headers[versionHeader]
        if (typeof daemonVersion === 'string' && !mustReplace(connection, daemonVersion)) return await read(response)
        response.destroy()
      } catch (cause) {
        if (!isGone(cause)) throw cause
      }
    }
    await ensureDaemon(connection)
    return await read(await attempt())
  } catch (cause) {
    if (codeOf(cause) !== 'ETIMEDOUT' || limitMs === undefined) throw unreachable(cause, connection)
    const what = `The daemon did not answer within ${limitMs / 1000} s.`
    throw new ReinError('not_in_time', what, `${logHint} ${freshHint(connection)}`)
  }
}

async function* stream(connection: Connection, row: RouteRow, call: Call): AsyncGenerator {
  try {
    yield* readLines(await request(connection, row, call, following))
  } catch (cause) {
    if (!call.signal?.aborted) throw unreachable(cause, connection)
  }
}

const toRequest = (connection: Connection, { method, path }: RouteRow, call: Call) => {
  const { input: given = {}, query: beside = {}, headers: more, ...waiting } = call
  const headers = { ...headersOf(connection), ...more }
  const input: Record<string, unknown> = { ...given }
  const filled = path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    const value = encodeURIComponent(String(input[name]))
    delete input[name]
    return value
  })
  if (method === 'GET') return { method, path: `${filled}${query(input)}`, headers, ...waiting }
  const body = JSON.stringify(input)
  const target = `${filled}${query(beside)}`
  return { method, path: target, headers: { 'content-type': 'application/json', ...headers }, body, ...waiting }
}

/** Absent means no: a schema that coerces would take the word `false` for true. */
const query = (input: object): string => {
  const given = Object.entries(input).filter(([, value]) => value !== undefined && value !== null && value !== false)
  const parameters = Object.fromEntries(given.map(([name, value]) => [name, String(value)]))
  return given.length === 0 ? '' : `?${new URLSearchParams(parameters).toString()}`
}
