import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import * as api from '../contract/api.ts'
import { LoopsInput } from '../contract/loops-api.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import { type RouteName, routes, versionHeader } from '../contract/routes.ts'
import { version } from '../util/version.ts'
import { actorOf, checkMay } from './actor.ts'
import { channelCaller } from './channel-endpoint.ts'
import { bundleRoutes } from './bundle-routes.ts'
import { channelRoutes } from './channel-routes.ts'
import * as agents from './handlers/agents.ts'
import { context } from './handlers/context.ts'
import * as daemon from './handlers/daemon.ts'
import * as deployment from './handlers/deployment.ts'
import * as directives from './handlers/directives.ts'
import { doctor } from './handlers/doctor.ts'
import { loops } from './handlers/loops.ts'
import { watch } from './handlers/watch.ts'
import { answerHook } from './hook-endpoint.ts'
import { answerMcp } from './mcp.ts'
import { body, type Ctx, type Env, param, query, whileAsked } from './requests.ts'
import type { Services } from './services.ts'
import { memoryRoutes } from './memory-routes.ts'
import { replayRoutes } from './replay-routes.ts'
import { runRoutes } from './run-routes.ts'
import { sessionRoutes } from './session-routes.ts'
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
  app.use(async (c, next) => {
    await next()
    c.header(versionHeader, version)
  })
  app.use(async (c, next) => {
    const caller = { overSocket: c.env.overSocket, header: (name: string) => c.req.header(name) }
    c.set('actor', channelCaller(c, caller, services) ?? actorOf(caller, services))
    refuseLarge(Number(c.req.header('content-length') ?? 0))
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

  const on = (name: RouteName, handle: (c: Ctx, actor: Actor) => Response | Promise<Response>): void => {
    const { method, path } = routes[name]
    app.on(method, path, (c) => {
      checkMay(c.var.actor, name)
      return handle(c, c.var.actor)
    })
  }
  const lines = (c: Ctx, source: (signal: AbortSignal) => AsyncGenerator) => writeLines(c, source, ending)

  on('hello', (c) => c.json(daemon.hello(id)))
  on('status', (c) => c.json(daemon.status(services)))
  on('rebuild', async (c) => c.json(await daemon.rebuild(services)))
  on('doctor', async (c) => c.json(await doctor(services, await body(c, api.DoctorInput))))
  on('stop', (c) => {
    setImmediate(stop)
    return c.json({ stopped: true, pid: process.pid })
  })
  on('setup', async (c) => c.json(await deployment.setup(services, await body(c, api.SetupInput))))
  on('cleanup', async (c) => c.json(await deployment.cleanup(services, await body(c, api.SetupInput))))
  on('update', async (c) => c.json(await deployment.update(services, await body(c, api.UpdateInput))))
  on('ps', (c) => c.json(agents.ps(services, query(c, api.PsInput))))
  on('watch', (c) => lines(c, (signal) => watch(services, query(c, api.WatchInput), signal)))
  on('up', async (c) => {
    void deployment.refresh(services)
    return c.json(await agents.up(services, await body(c, api.UpInput)))
  })
  on('down', async (c) => c.json(await agents.down(services, await body(c, api.DownInput))))
  on('answer', async (c) => c.json(await agents.answer(services, await body(c, api.AnswerInput))))
  on('restart', async (c) => c.json(await agents.restart(services, await body(c, api.RestartInput))))
  on('resume', async (c) => c.json(await agents.resume(services, await body(c, api.ResumeInput))))
  on('pause', async (c) => c.json(await agents.pause(services, await body(c, api.PauseInput))))
  on('unpause', async (c) => c.json(await agents.unpause(services, await body(c, api.UnpauseInput))))
  on('interrupt', async (c) => c.json(await agents.interrupt(services, await body(c, api.InterruptInput))))
  on('attach', async (c) => c.json(await agents.attach(services, query(c, api.AttachInput))))
  on('logs', (c, actor) => lines(c, (signal) => agents.logs(services, actor, query(c, api.LogsInput), signal)))
  on('context', async (c, actor) => c.json(await context(services, actor, query(c, api.ContextInput))))
  on('tell', async (c, actor) => c.json(await directives.tell(services, actor, await body(c, api.TellInput))))
  on('inbox', async (c, actor) => c.json(await directives.inbox(services, actor, query(c, api.InboxInput))))
  on('receipt', (c) => c.json(directives.receipt(services, param(c, 'id'))))
  on('follow', (c) =>
    lines(c, (signal) => directives.follow(services, param(c, 'id'), query(c, api.FollowInput), signal)),
  )
  on('read', async (c, actor) => c.json(directives.read(services, actor, param(c, 'id'), await body(c, api.ReadInput))))
  on('ack', async (c, actor) =>
    c.json(await directives.ack(services, actor, param(c, 'id'), await body(c, api.AckInput))),
  )
  on('cancel', async (c, actor) => c.json(await directives.cancel(services, actor, param(c, 'id'))))
  on('tail', (c) => lines(c, (signal) => daemon.tail(services, param(c, 'topic'), query(c, api.TailInput), signal)))
  channelRoutes(services, on, lines, ending)
  teamRoutes(services, on, lines)
  sessionRoutes(services, on, lines)
  bundleRoutes(services, on, lines)
  replayRoutes(services, on)
  memoryRoutes(services, on)
  on('loops', async (c) => c.json(await loops(services, query(c, LoopsInput))))
  runRoutes(services, on, lines, ending)
  on('hook', (c, actor) => hook(services, c, actor))
  on('mcp', (c, actor) => answerMcp(services, actor, c.req.query('cwd'), c.req.raw, c.env.outgoing))
  // A client that asks for a stream of news has to be told that there is none.
  app.get(routes.mcp.path, (c) => c.body(null, 405))
  return app
}

/** More than any text that is taken, escaped in JSON. */
const maxBodyBytes = 64 * 1024 * 1024

const refuseLarge = (bytes: number): void => {
  if (bytes <= maxBodyBytes) return
  throw new ReinError('text_too_large', `The request has ${bytes} bytes; ${maxBodyBytes} are possible.`)
}

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

/** The hook client prints an answer only if it ends with this line: half an answer is none. */
const answerEnd = '\nrein-end\n'

const hook = async (services: Services, c: Ctx, actor: Actor): Promise<Response> => {
  const pid = Number(c.req.query('pid'))
  const meta = {
    native: param(c, 'event'),
    agent: actor.kind === 'agent' ? actor.id : c.req.query('agent') || null,
    pid: Number.isInteger(pid) && pid > 0 ? pid : null,
    conversation: c.req.query('conversation') || null,
  }
  const payload: unknown = await c.req.json().catch(() => null)
  const answer = await answerHook(services, param(c, 'driver'), payload, meta, c.req.query('handle') || null)
  if (c.req.header('x-rein-hook') === undefined) return answer === null ? c.body(null, 204) : c.json(answer as object)
  return c.text(`${answer === null ? '' : JSON.stringify(answer)}${answerEnd}`)
}
