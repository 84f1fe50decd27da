import type { Actor } from '../contract/identity.ts'
import type { RouteName } from '../contract/routes.ts'
import * as api from '../contract/run-api.ts'
import * as run from './handlers/run.ts'
import { body, type Ctx, query } from './requests.ts'
import type { Services } from './services.ts'

type On = (name: RouteName, handle: (c: Ctx, actor: Actor) => Response | Promise<Response>) => void
type Lines = (c: Ctx, source: (signal: AbortSignal) => AsyncGenerator) => Promise<Response>

/** Looking at agents as they work, and prompting them. */
export const runRoutes = (services: Services, on: On, lines: Lines, ending: AbortSignal): void => {
  on('live', (c) => lines(c, (signal) => run.live(services, query(c, api.LiveInput), signal, ending)))
  on('prompt', async (c) => c.json(await run.prompt(services, await body(c, api.PromptInput))))
  on('decideRun', async (c, actor) => c.json(await run.decideRun(services, actor, await body(c, api.DecideRunInput))))
}
