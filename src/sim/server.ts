/** The scripted model: a server of the models' APIs on the loopback that answers by script and records every request. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { ZodError } from 'zod'
import { createDirector, type Director } from './director.ts'
import { Gates } from './gates.ts'
import { play } from './play.ts'
import { type Outcome, Recorder, type SimRequest } from './recorder.ts'
import { type Received, countTokens } from './received.ts'
import { sendError, sendJson, startReply } from './reply.ts'
import { parseScenario } from './scenario.ts'
import { wires } from './wires/all.ts'
import { anthropic } from './wires/anthropic.ts'
import type { Wire, WireRequest } from './wires/wire.ts'

export interface SimOptions {
  port?: number
  scenario?: string
  /** Decides what is answered, instead of a scenario. */
  director?: Director
}

export interface Sim {
  readonly url: string
  /** Every request for a reply, in order. */
  readonly requests: readonly SimRequest[]
  /** The first request from index `from` on that matches, recorded already or still to come. */
  next(match: (request: SimRequest) => boolean, from?: number): Promise<SimRequest>
  /** Resolves when a reply waits at that WAIT step, or has done so. */
  reached(name: string): Promise<void>
  /** Lets every WAIT step of that name go on, now and later. */
  release(name: string): void
  close(): Promise<void>
}

interface Parts {
  director: Director
  gates: Gates
  recorder: Recorder
}

export const startSim = async ({ port = 0, scenario = '', director }: SimOptions = {}): Promise<Sim> => {
  const parts: Parts = {
    director: director ?? createDirector(parseScenario(scenario)),
    gates: new Gates(),
    recorder: new Recorder(),
  }
  const server = createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendError(response, anthropic, { status: 500, message: `the scripted model failed: ${String(error)}` })
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  const listening = typeof address === 'object' && address !== null ? address.port : port
  return {
    url: `http://127.0.0.1:${listening}`,
    requests: parts.recorder.requests,
    next: (match, from) => parts.recorder.next(match, from),
    reached: (name) => parts.gates.reached(name),
    release: (name) => parts.gates.open(name),
    close: () => close(server, parts.recorder),
  }
}

const close = async (server: Server, recorder: Recorder): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  recorder.close()
  await closed
}

const handle = async (parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method = '', url = '/' } = request
  const path = url.split('?')[0] ?? ''
  const wire = wires.find((one) => one.matches(method, path))
  if (wire !== undefined) return respond(parts, wire, path, request, response)
  if (method === 'HEAD' && path === '/') return void response.writeHead(200).end()
  if (method === 'GET' && path === '/v1/models') return sendJson(response, 200, modelList)
  if (method === 'POST' && /[/:]count_?tokens$/i.test(path)) {
    const count = countTokens(await readText(request))
    return sendJson(response, 200, path.startsWith('/v1beta/') ? { totalTokens: count } : { input_tokens: count })
  }
  const message = `the scripted model does not serve ${method} ${path}`
  return sendError(response, anthropic, { status: 404, message })
}

const modelIds = ['claude-opus-4-8', 'claude-sonnet-4-6', 'claude-haiku-4-5', 'scripted']

/** In the forms of Anthropic and of OpenAI at once. */
const modelList = {
  object: 'list',
  data: modelIds.map((id) => ({
    type: 'model',
    object: 'model',
    id,
    display_name: id,
    owned_by: 'scripted',
    created: 1_767_225_600,
    created_at: '2026-01-01T00:00:00Z',
  })),
  has_more: false,
  first_id: modelIds[0],
  last_id: modelIds.at(-1),
}

const respond = async (
  { director, gates, recorder }: Parts,
  wire: Wire,
  path: string,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const text = await readText(incoming)
  const body = parseJson(text)
  const received = read(wire, { path, headers: incoming.headers, body, tokens: countTokens(text) })
  if (received instanceof ZodError) {
    const message = `not a request of the ${wire.name} wire: ${received.message}`
    return sendError(response, wire, { status: 400, message })
  }
  const answer = director(received)
  const gone = new AbortController()
  const outcome = new Promise<Outcome>((resolve) => {
    response.once('close', () => {
      gone.abort()
      resolve(response.writableFinished ? 'answered' : 'aborted')
    })
  })
  recorder.add({ incoming, wire: wire.name, body, received }, answer, outcome)
  const stage = { reply: startReply(response, wire, received), tools: received.tools, gone: gone.signal }
  await play(answer, { ...stage, gate: (name) => gates.pass(name, gone.signal) }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error
  })
}

const read = (wire: Wire, request: WireRequest): Received | ZodError => {
  try {
    return wire.read(request)
  } catch (error) {
    if (error instanceof ZodError) return error
    throw error
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
