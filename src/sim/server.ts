/** The scripted model: an Anthropic Messages server on the loopback that answers by script and records every request. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { createDirector } from './director.ts'
import type { Director } from './director.ts'
import { Gates } from './gates.ts'
import { play } from './play.ts'
import { Recorder } from './recorder.ts'
import type { Outcome, SimRequest } from './recorder.ts'
import { sendError, sendJson, startReply, tokens } from './reply.ts'
import { MessagesBody } from './request.ts'
import { parseScenario } from './scenario.ts'

export interface SimOptions {
  port?: number
  scenario?: string
}

export interface Sim {
  readonly url: string
  /** Every request to /v1/messages, in order. */
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

export async function startSim({ port = 0, scenario = '' }: SimOptions = {}): Promise<Sim> {
  const parts: Parts = {
    director: createDirector(parseScenario(scenario)),
    gates: new Gates(),
    recorder: new Recorder(),
  }
  const server = createServer((request, response) => {
    handle(parts, request, response).catch((error: unknown) => giveUp(response, error))
  })
  const listening = await listen(server, port)
  return {
    url: `http://127.0.0.1:${listening}`,
    requests: parts.recorder.requests,
    next: (match, from) => parts.recorder.next(match, from),
    reached: (name) => parts.gates.reached(name),
    release: (name) => parts.gates.open(name),
    close: () => close(server, parts.recorder),
  }
}

async function listen(server: Server, port: number): Promise<number> {
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : port
}

async function close(server: Server, recorder: Recorder): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  recorder.close()
  await closed
}

async function handle(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '/' } = request
  const path = url.split('?')[0] ?? ''
  switch (`${method} ${path}`) {
    case 'HEAD /':
      response.writeHead(200).end()
      return
    case 'GET /v1/models':
      return sendJson(response, 200, {
        data: MODELS,
        has_more: false,
        first_id: MODELS[0]?.id,
        last_id: MODELS.at(-1)?.id,
      })
    case 'POST /v1/messages/count_tokens':
      return withBody(request, response, (body) => sendJson(response, 200, { input_tokens: tokens(body) }))
    case 'POST /v1/messages':
      return withBody(request, response, (body) => respond(parts, request, response, body))
    default:
      return sendError(response, { status: 404, message: `the scripted model does not serve ${method} ${path}` })
  }
}

const MODELS = ['claude-opus-4-8', 'claude-sonnet-4-6', 'claude-haiku-4-5'].map((id) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2026-01-01T00:00:00Z',
}))

async function withBody(
  request: IncomingMessage,
  response: ServerResponse,
  use: (body: MessagesBody) => void | Promise<void>,
): Promise<void> {
  const body = MessagesBody.safeParse(parseJson(await readText(request)))
  if (body.success) return use(body.data)
  sendError(response, { status: 400, message: `not a Messages request: ${body.error.message}` })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function respond(
  { director, gates, recorder }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  body: MessagesBody,
): Promise<void> {
  const answer = director(conversationOf(request, body), body)
  const gone = new AbortController()
  const outcome = new Promise<Outcome>((resolve) => {
    response.once('close', () => {
      gone.abort()
      resolve(response.writableFinished ? 'answered' : 'aborted')
    })
  })
  recorder.add(request, body, answer, outcome)
  const stage = { reply: startReply(response, body), gone: gone.signal }
  await play(answer.steps, { ...stage, gate: (name) => gates.pass(name, gone.signal) }).catch((error: unknown) => {
    if (!gone.signal.aborted) throw error
  })
}

/** Sub-agents share their leader's session id, so the agent is part of the identity. */
function conversationOf(request: IncomingMessage, body: MessagesBody): string {
  return `${body.metadata?.user_id ?? ''} ${String(request.headers['x-claude-code-agent-id'] ?? '')}`
}

function giveUp(response: ServerResponse, error: unknown): void {
  if (response.headersSent) response.destroy()
  else sendError(response, { status: 500, message: `the scripted model failed: ${String(error)}` })
}
