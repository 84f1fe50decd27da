import { ExplainInput } from '../contract/routes/rules.ts'
import { explain } from './handlers/rules.ts'
import { body, type On } from './requests.ts'
import type { Services } from './services.ts'

/** What would be said to a call. */
export const rulesRoutes = (services: Services, on: On): void => {
  on('explainCall', async (c, actor) => c.json(await explain(services, actor, await body(c, ExplainInput))))
}
