import { AckInput, FollowInput, InboxInput, ReadInput, TellInput } from '../contract/routes/directives.ts'
import * as directives from './handlers/directives.ts'
import { body, type Lines, type On, param, query } from './requests.ts'
import type { Services } from './services.ts'

/** Telling agents something, and what became of it. */
export const directiveRoutes = (services: Services, on: On, lines: Lines): void => {
  on('tell', async (c, actor) => c.json(await directives.tell(services, actor, await body(c, TellInput))))
  on('inbox', async (c, actor) => c.json(await directives.inbox(services, actor, query(c, InboxInput))))
  on('receipt', (c) => c.json(directives.receipt(services, param(c, 'id'))))
  on('follow', (c) => lines(c, (signal) => directives.follow(services, param(c, 'id'), query(c, FollowInput), signal)))
  on('read', async (c, actor) => c.json(directives.read(services, actor, param(c, 'id'), await body(c, ReadInput))))
  on('ack', async (c, actor) => c.json(await directives.ack(services, actor, param(c, 'id'), await body(c, AckInput))))
  on('cancel', async (c, actor) => c.json(await directives.cancel(services, actor, param(c, 'id'))))
}
