import type { Lease } from '../../contract/lease.ts'
import type { LeaseView } from '../../contract/routes/leases.ts'
import type { KeptLease } from './store.ts'

export const leaseView = ({ lease, ended }: KeptLease): LeaseView => ({
  ...lease,
  holder: lease.holder?.handle ?? null,
  ended: ended?.why ?? null,
  endedAt: ended?.at ?? null,
})

export const heldView = (lease: Lease): LeaseView => leaseView({ lease, setAt: lease.at, ended: null })
