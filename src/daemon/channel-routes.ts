import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { streamTurns } from '../channels/broadcast/sse.ts'
import {
  CreateChannelInput,
  RouteInput,
  RunAdapterInput,
  SendOutInput,
  SettleInput,
  TakeInput,
  TokenInput,
  TurnsInput,
} from '../contract/routes/channels.ts'
import { TailInput } from '../contract/routes/daemon.ts'
import { receive } from './channel-endpoint.ts'
import * as channels from './handlers/channels.ts'
import { body, type Lines, type On, param, query, whileAsked } from './requests.ts'
import type { Services } from './services.ts'

/** Channels, what comes in and goes out on them, and adapters. */
export const channelRoutes = (services: Services, on: On, lines: Lines, ending: AbortSignal): void => {
  on('channels', (c) => c.json(channels.list(services)))
  on('createChannel', async (c, actor) =>
    c.json(await channels.create(services, actor, await body(c, CreateChannelInput))),
  )
  on('removeChannel', async (c, actor) => c.json(await channels.remove(services, actor, param(c, 'name'))))
  on('routeChannel', async (c, actor) =>
    c.json(await channels.route(services, actor, param(c, 'name'), await body(c, RouteInput))),
  )
  on('defaultRoute', async (c, actor) => c.json(await channels.setDefault(services, actor, await body(c, RouteInput))))
  on('channelToken', async (c, actor) =>
    c.json(await channels.token(services, actor, param(c, 'name'), await body(c, TokenInput))),
  )
  on('sendOut', async (c, actor) =>
    c.json(await channels.send(services, actor, param(c, 'name'), await body(c, SendOutInput))),
  )
  on('take', async (c) =>
    c.json(await channels.take(services, param(c, 'name'), await body(c, TakeInput), whileAsked(c, ending))),
  )
  on('settle', async (c, actor) => c.json(await channels.settle(services, actor, await body(c, SettleInput))))
  on('dead', (c) => c.json(channels.dead(services, c.req.query('channel') ?? null)))
  on('retry', async (c, actor) => c.json(await channels.retry(services, actor, param(c, 'id'))))
  on('tailChannel', (c) => lines(c, (signal) => channels.tail(services, param(c, 'name'), query(c, TailInput), signal)))
  on('adapters', (c) => c.json(services.adapters.all))
  on('runAdapter', async (c, actor) => {
    const { env, ...entry } = await body(c, RunAdapterInput)
    return c.json(await services.adapters.run(entry, env, actor))
  })
  on('stopAdapter', async (c, actor) => c.json(await services.adapters.stop(param(c, 'name'), actor)))
  on('turns', async (c) => {
    const wanted = await channels.wantedTurns(services, query(c, TurnsInput))
    streamTurns(services.broadcast, c.env.incoming, c.env.outgoing, wanted)
    return RESPONSE_ALREADY_SENT
  })
  on('followTurns', (c) => lines(c, (signal) => channels.turns(services, query(c, TurnsInput), signal)))
  on('receive', (c, actor) => receive(services, c, actor))
}
