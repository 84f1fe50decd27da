import * as api from '../contract/api.ts'
import * as directives from './handlers/directives.ts'
import { body, type Lines, type On, param, query } from './requests.ts'
import type { Services } from './services.ts'

/** Telling agents something, and what became of it. */
export const directiveRoutes = (services: Services, on: On, lines: Lines): void => {
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
}
