import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { DoctorInput, TailInput } from '../contract/routes/daemon.ts'
import { SetupInput, UpdateInput } from '../contract/routes/deployments.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import type { HookMeta } from '../drivers/contract.ts'
import { buildHeader, type RouteName, routes, versionHeader } from '../contract/routes.ts'
import { parseObject } from '../util/ndjson.ts'
import { build, version } from '../util/version.ts'
import { actorOf, checkMay, readClaim } from './actor.ts'
import { agentRoutes } from './agent-routes.ts'
import { callerOf, channelCaller } from './channel-endpoint.ts'
import { bundleRoutes } from './bundle-routes.ts'
import { channelRoutes } from './channel-routes.ts'
import { directiveRoutes } from './directive-routes.ts'
import * as daemon from './handlers/daemon.ts'
import * as deployment from './handlers/deployment.ts'
import { doctor } from './handlers/doctor.ts'
import { answerGuard, projectOf } from './guard-endpoint.ts'
import { answerHook } from './hook-endpoint.ts'
import { Later } from './later.ts'
import { answerMcp } from './mcp.ts'
import { body, bodyText, type Ctx, type Env, type Lines, type On, param, query, whileAsked } from './requests.ts'
import type { Services } from './services.ts'
import { leaseRoutes } from './lease-routes.ts'
import { memoryRoutes } from './memory-routes.ts'
import { notesRoutes } from './notes-routes.ts'
import { replayRoutes } from './replay-routes.ts'
import { rulesRoutes } from './rules-routes.ts'
import { runRoutes } from './run-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { storyRoutes } from './story-routes.ts'
import { taskRoutes } from './task-routes.ts'
import { teamRoutes } from './team-routes.ts'

export interface AppParts {
  services: Services
  /** The registration's id: what proves to a client that this server is the one it looked up. */
  id: string
  /** Aborted when the daemon begins to end. */
  ending: AbortSignal
  stop: () => void
}

/** Everything the daemon answers, over the socket and over the guarded port alike. */
export const createApp = ({ services, id, ending, stop }: AppParts): Hono<Env> => {
  const app = new Hono<Env>()
  const later = new Later()
  app.use(async (c, next) => {
    await next()
    c.header(versionHeader, version)
    c.header(buildHeader, build)
  })
  app.use(async (c, next) => {
    const channel = channelCaller(c, callerOf(c), services)
    c.set('claim', channel ?? readClaim(callerOf(c), services))
    await next()
  })
  app.onError((cause, c) => {
    const error = asReinError(cause)
    // A request that broke off is its sender's affair.
    if (error.code === 'failed' && c.env.incoming.complete)
      services.journal.write('trouble', { where: c.req.path, reason: error.message })
    return c.json(error.toBody(), error.status as 400)
  })
  app.notFound((c) => c.json(new ReinError('not_found', `There is no ${c.req.method} ${c.req.path}.`).toBody(), 404))

  const admit = async (c: Ctx, name: RouteName): Promise<Actor> => {
    const { claim } = c.var
    const actor = claim.kind === 'channel' ? claim : await actorOf(callerOf(c), claim, services)
    checkMay(actor, name)
    return actor
  }
  const on: On = (name, handle) => {
    const { method, path } = routes[name]
    app.on(method, path, async (c) => handle(c, await admit(c, name)))
  }
  /** For all who reach the socket: it decides nothing, or looks at the process itself. */
  const onSocket = (name: RouteName, handle: (c: Ctx, agent: string | null) => Response | Promise<Response>): void => {
    const { method, path } = routes[name]
    app.on(method, path, async (c) => {
      const caller = c.env.overSocket ? c.var.claim : await admit(c, name)
      return handle(c, caller.kind === 'agent' ? caller.id : null)
    })
  }
  const lines: Lines = (c, source) => writeLines(c, source, ending)

  onSocket('hello', (c) => c.json(daemon.hello(id)))
  on('status', (c) => c.json(daemon.status(services)))
  on('rebuild', async (c) => c.json(await daemon.rebuild(services)))
  on('doctor', async (c) => c.json(await doctor(services, await body(c, DoctorInput))))
  on('stop', (c) => {
    setImmediate(stop)
    return c.json({ stopped: true, pid: process.pid, killed: false })
  })
  on('setup', async (c) => c.json(await deployment.setup(services, await body(c, SetupInput))))
  on('cleanup', async (c) => c.json(await deployment.cleanup(services, await body(c, SetupInput))))
  on('update', async (c) => c.json(await deployment.update(services, await body(c, UpdateInput))))
  on('tail', (c) => lines(c, (signal) => daemon.tail(services, param(c, 'topic'), query(c, TailInput), signal)))
  agentRoutes(services, on, lines)
  directiveRoutes(services, on, lines)
  channelRoutes(services, on, lines, ending)
  teamRoutes(services, on, lines)
  taskRoutes(services, on)
  storyRoutes(services, on)
  leaseRoutes(services, on, ending)
  sessionRoutes(services, on, lines)
  bundleRoutes(services, on, lines)
  replayRoutes(services, on)
  memoryRoutes(services, on)
  notesRoutes(services, on)
  runRoutes(services, on, lines, ending)
  rulesRoutes(services, on)
  onSocket('hook', (c, agent) => hook(services, later, c, agent))
  onSocket('guard', (c, agent) => later.answer(c, () => guard(services, c, agent)))
  on('mcp', async (c, actor) => answerMcp(services, actor, c.req.query('cwd'), await readRequest(c), c.env.outgoing))
  // A client that asks for a stream of news has to be told that there is none.
  app.get(routes.mcp.path, (c) => c.body(null, 405))
  return app
}

/** The request with its whole body, which was counted. */
const readRequest = async (c: Ctx): Promise<Request> =>
  new Request(c.req.url, { method: c.req.method, headers: c.req.raw.headers, body: await bodyText(c) })

/** One JSON value a line; a failure before the first line is an ordinary error, a later one is the last line. */
const writeLines = async (
  c: Ctx,
  source: (signal: AbortSignal) => AsyncGenerator,
  ending: AbortSignal,
): Promise<Response> => {
  const abort = new AbortController()
  const items = source(AbortSignal.any([abort.signal, whileAsked(c, ending)]))
  const first = await items.next()
  c.header('content-type', 'application/x-ndjson')
  return stream(c, async (out) => {
    out.onAbort(() => abort.abort())
    try {
      for (let item = first; !item.done; item = await items.next()) await out.writeln(JSON.stringify(item.value))
      if (ending.aborted) throw new ReinError('unavailable', 'The daemon is stopping.')
    } catch (cause) {
      await out.writeln(JSON.stringify(asReinError(cause).toBody()))
    }
  })
}

/** A CLI that calls by itself waits as long as it takes. */
const hook = async (services: Services, later: Later, c: Ctx, agent: string | null): Promise<Response> => {
  const answer = async (): Promise<unknown> => {
    const payload = parseJson(await bodyText(c))
    return answerHook(services, param(c, 'driver'), payload, metaOf(c, agent), c.req.query('handle') || null)
  }
  if (c.req.header('x-rein-hook') !== undefined) return later.answer(c, async () => wordsOf(await answer()))
  const said = await answer()
  return said === null ? c.body(null, 204) : c.json(said as object)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const wordsOf = (answer: unknown): string => (answer === null ? '' : JSON.stringify(answer))

const metaOf = (c: Ctx, agent: string | null): HookMeta => {
  const pid = Number(c.req.query('pid'))
  return {
    native: param(c, 'event'),
    agent: agent ?? (c.req.query('agent') || null),
    pid: Number.isInteger(pid) && pid > 0 ? pid : null,
    conversation: c.req.query('conversation') || null,
  }
}

/** A call that cannot be read is an error, and the guard decides without Rein. */
const guard = async (services: Services, c: Ctx, agent: string | null): Promise<string> => {
  const payload = parseObject(await bodyText(c))
  if (payload === null) throw new ReinError('usage', 'A call is one JSON object.')
  const project = projectOf(c.req.header('x-rein-project'))
  return answerGuard(services, param(c, 'driver'), payload, metaOf(c, agent), project)
}
