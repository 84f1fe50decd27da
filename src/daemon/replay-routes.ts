import { RecordingInput } from '../contract/routes/replay.ts'
import { recording } from './handlers/recording.ts'
import { type On, query } from './requests.ts'
import type { Services } from './services.ts'

/** What a recorded session is played again with. */
export const replayRoutes = (services: Services, on: On): void => {
  on('recording', async (c) => c.json(await recording(services, query(c, RecordingInput))))
}
