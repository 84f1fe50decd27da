import { ListLeasesInput, ReleaseLeaseInput, RenewLeaseInput, TakeLeaseInput } from '../contract/routes/leases.ts'
import * as leases from './handlers/leases.ts'
import { body, type On, query, whileAsked } from './requests.ts'
import type { Services } from './services.ts'

/** Who may change which files for now. */
export const leaseRoutes = (services: Services, on: On, ending: AbortSignal): void => {
  on('takeLease', async (c, actor) =>
    c.json(await leases.take(services, actor, await body(c, TakeLeaseInput), whileAsked(c, ending))),
  )
  on('leases', async (c, actor) => c.json(await leases.list(services, actor, query(c, ListLeasesInput))))
  on('renewLease', async (c, actor) => c.json(await leases.renew(services, actor, await body(c, RenewLeaseInput))))
  on('releaseLease', async (c, actor) =>
    c.json(await leases.release(services, actor, await body(c, ReleaseLeaseInput))),
  )
}
