import type { DoctorView } from '../../contract/routes/daemon.ts'
import type { deploymentRoutes } from '../../contract/routes/deployments.ts'
import type { Feature } from '../feature.ts'
import { doctor } from './doctor.ts'
import type { DoctorRequest } from './parts.ts'
import { cleanup, refresh, setup } from './handlers.ts'

interface DeployApi {
  /** Renews what is older than this Rein; whether that was anything. */
  refresh: () => Promise<boolean>
  /** Checks this machine; `database` has the daemon's checks of its database. */
  doctor: (request: DoctorRequest, database: DoctorView['checks']) => Promise<DoctorView>
}

/** The entries of `rein setup` in the files of CLIs, and the checks of `rein doctor`. */
export const deploy: Feature<'deploy', typeof deploymentRoutes, object, DeployApi> = {
  name: 'deploy',
  create: (base, { canaries, finder }) => ({
    handlers: {
      setup: async ({ input }) => setup(base, await finder.placed(input)),
      cleanup: async ({ input }) => cleanup(base, await finder.placed(input)),
    },
    start: () => void refresh(base),
    api: {
      refresh: () => refresh(base),
      doctor: (request, database) => doctor({ ...base, canaries }, request, database),
    },
  }),
}
