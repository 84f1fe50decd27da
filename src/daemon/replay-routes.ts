import * as api from '../contract/replay-api.ts'
import type { RouteName } from '../contract/routes.ts'
import { recording } from './handlers/recording.ts'
import { type Ctx, query } from './requests.ts'
import type { Services } from './services.ts'

type On = (name: RouteName, handle: (c: Ctx) => Promise<Response>) => void

/** What a recorded session is played again with. */
export const replayRoutes = (services: Services, on: On): void => {
  on('recording', async (c) => c.json(await recording(services, query(c, api.RecordingInput))))
}
