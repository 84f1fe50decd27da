import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { streamTurns } from '../features/channels/broadcast/sse.ts'
import { asReinError, ReinError } from '../contract/errors.ts'
import { buildHeader, versionHeader } from '../contract/headers.ts'
import type { Actor } from '../contract/identity.ts'
import { type RouteName, routes } from '../contract/routes/all.ts'
import { TurnsInput } from '../contract/routes/channels.ts'
import type { Asked, Card } from '../contract/routes/route.ts'
import type { HookMeta } from '../drivers/contract.ts'
import { parseObject } from '../base/util/json.ts'
import { build, version } from '../base/util/version.ts'
import { actorOf, checkMay, checkReach, readClaim } from './actor.ts'
import { fitterOf, hasLines, parse, readInput } from './answers.ts'
import { callerOf, channelCaller, receive } from './channel-endpoint.ts'
import { pass } from './fault.ts'
import { answerGuard, projectOf } from './guard-endpoint.ts'
import type { AllHandlers } from './handlers.ts'
import { type DaemonParts, hello } from './status.ts'
import { Later, type Said } from './later.ts'
import { answerMcp } from './mcp.ts'
import { servePageFiles } from './page-files.ts'
import { answerPairing } from './pairing.ts'
import { bodyJson, bodyText, type Ctx, type Env, whenLost, whileAsked } from './requests.ts'
import type { Features } from './features.ts'

interface Answering {
  /** Aborted when the daemon begins to end. */
  ending: AbortSignal
  /** In tests: an answer that is not what its card says is an error. */
  checksAnswers: boolean
}

interface AppParts extends Answering {
  daemon: DaemonParts
  /** The registration's id: what proves to a client that this server is the one it looked up. */
  id: string
  handlers: AllHandlers
  /** Where the files of the page are. */
  pageDir: string
}

/** Everything the daemon answers, over the socket and over the guarded port alike. */
export const createApp = ({ daemon, id, ending, handlers, pageDir, checksAnswers }: AppParts): Hono<Env> => {
  const app = new Hono<Env>()
  const later = new Later()
  const { base, features, origins } = daemon
  const vouchers = { endpoint: base.endpoint, supervisor: features.agents.supervisor, origins }
  app.use(async (c, next) => {
    await next()
    c.header(versionHeader, version)
    c.header(buildHeader, build)
  })
  app.onError((cause, c) => {
    const error = asReinError(cause)
    // A request that broke off is its sender's affair.
    if (error.code === 'failed' && c.env.incoming.complete)
      base.journal.write('trouble', { where: c.req.path, reason: error.message })
    return c.json(error.toBody(), error.status as 400)
  })
  // Nobody needs a token for the page, and a device has none before it is paired.
  servePageFiles(app, pageDir)
  app.on(routes.pair.method, routes.pair.path, (c) =>
    answerPairing(c, { daemon, id, fit: fitterOf(routes.pair, checksAnswers) }),
  )
  app.use(async (c, next) => {
    const channel = channelCaller(c, callerOf(c), daemon)
    c.set('claim', channel ?? readClaim(callerOf(c), vouchers))
    await next()
  })
  app.notFound((c) => c.json(new ReinError('not_found', `There is no ${c.req.method} ${c.req.path}.`).toBody(), 404))

  const admit = async (c: Ctx, name: RouteName): Promise<Actor> => {
    const { claim } = c.var
    const actor = claim.kind === 'channel' ? claim : await actorOf(callerOf(c), claim, vouchers)
    checkMay(actor, name)
    checkReach(name, c.env.overSocket)
    return actor
  }
  const on = (name: RouteName, handle: (c: Ctx, actor: Actor) => Response | Promise<Response>): void => {
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

  for (const [name, handler] of Object.entries(handlers))
    on(name as RouteName, answerBy(routes[name as RouteName], handler, { ending, checksAnswers }))
  onSocket('hello', (c) => c.json(fitterOf(routes.hello, checksAnswers)(hello(id))))
  on('receive', (c, actor) => receive(daemon, c, actor, fitterOf(routes.receive, checksAnswers)))
  on('turns', async (c) => {
    const wanted = await features.apis.channels.wantedTurns(parse(TurnsInput, c.req.query()))
    streamTurns(features.apis.channels.broadcast, c.env.incoming, c.env.outgoing, wanted)
    return RESPONSE_ALREADY_SENT
  })
  onSocket('hook', async (c, agent) => {
    const answer = async (): Promise<Said> => {
      const payload = parseJson(await bodyText(c))
      const [driver, handle] = [c.req.param('driver') ?? '', c.req.query('handle') || null]
      const answered = await features.agents.hookCalls.answerHook(driver, payload, readMeta(c, agent), handle)
      if (answered === null) return { text: '' }
      pass('before_reply')
      return { text: JSON.stringify(answered.said), lost: answered.lost }
    }
    if (c.req.header('x-rein-hook') !== undefined) return later.answer(c, answer)
    // A CLI that calls by itself waits as long as it takes.
    const { text, lost } = await answer()
    if (lost !== undefined) whenLost(c, lost)
    return text === '' ? c.body(null, 204) : c.body(text, 200, { 'content-type': 'application/json' })
  })
  onSocket('guard', (c, agent) => later.answer(c, async () => ({ text: await guard(features, c, agent) })))
  on('mcp', async (c, actor) => answerMcp(features, actor, c.req.query('cwd'), await readRequest(c), c.env.outgoing))
  // A client that asks for a stream of news has to be told that there is none.
  app.get(routes.mcp.path, (c) => c.body(null, 405))
  return app
}

/** The request with its whole body, which was counted. */
const readRequest = async (c: Ctx): Promise<Request> =>
  new Request(c.req.url, { method: c.req.method, headers: c.req.raw.headers, body: await bodyText(c) })

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const readMeta = (c: Ctx, agent: string | null): HookMeta => {
  const pid = Number(c.req.query('pid'))
  return {
    native: c.req.param('event') ?? '',
    agent: agent ?? (c.req.query('agent') || null),
    pid: Number.isInteger(pid) && pid > 0 ? pid : null,
    conversation: c.req.query('conversation') || null,
  }
}

/** A call that cannot be read is an error, and the guard decides without Rein. */
const guard = async (features: Features, c: Ctx, agent: string | null): Promise<string> => {
  const payload = parseObject(await bodyText(c))
  if (payload === null) throw new ReinError('usage', 'A call is one JSON object.')
  const project = projectOf(c.req.header('x-rein-project'))
  return answerGuard(features, c.req.param('driver') ?? '', payload, readMeta(c, agent), project)
}

/** The table of handlers is typed by the cards, which a loop over it cannot tell: each is called with what its own card has read. */
export const answerBy =
  (card: Card, handler: unknown, { ending, checksAnswers }: Answering) =>
  async (c: Ctx, actor: Actor): Promise<Response> => {
    const handle = handler as (asked: Asked<Card>) => unknown
    const input = readInput(card, card.method === 'GET' ? c.req.query() : await bodyJson(c))
    const asked: Asked<Card> = { actor, input, params: c.req.param(), signal: whileAsked(c, ending) }
    const fit = fitterOf(card, checksAnswers)
    if (hasLines(card)) return writeLines(c, handle(asked) as AsyncGenerator, fit, ending)
    return c.json(fit(await handle(asked)) as object)
  }

/** One JSON value a line; a failure before the first line is an ordinary error, a later one is the last line. */
const writeLines = async (
  c: Ctx,
  items: AsyncGenerator,
  fit: (line: unknown) => unknown,
  ending: AbortSignal,
): Promise<Response> => {
  const first = await items.next()
  c.header('content-type', 'application/x-ndjson')
  return stream(c, async (out) => {
    try {
      for (let item = first; !item.done; item = await items.next()) await out.writeln(JSON.stringify(fit(item.value)))
      if (ending.aborted) throw new ReinError('unavailable', 'The daemon is stopping.')
    } catch (cause) {
      await out.writeln(JSON.stringify(asReinError(cause).toBody()))
    }
  })
}
