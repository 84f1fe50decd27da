import { DecideRunInput, LiveInput, PromptInput } from '../contract/routes/run.ts'
import * as run from './handlers/run.ts'
import { body, type Lines, type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** Looking at agents as they work, and prompting them. */
export const runRoutes = (services: Services, on: On, lines: Lines, ending: AbortSignal): void => {
  on('live', (c) => lines(c, (signal) => run.live(services, query(c, LiveInput), signal, ending)))
  on('prompt', async (c) => c.json(await run.prompt(services, await body(c, PromptInput))))
  on('decideRun', async (c, actor) => c.json(await run.decideRun(services, actor, await body(c, DecideRunInput))))
}
