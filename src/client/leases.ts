import type {
  LeaseView,
  ListLeasesRequest,
  ReleaseLeaseRequest,
  RenewLeaseRequest,
  TakeLeaseRequest,
} from '../contract/routes/leases.ts'
import type { RouteName } from '../contract/routes.ts'

export interface LeaseClient {
  takeLease(input: TakeLeaseRequest): Promise<LeaseView>
  renewLease(input: RenewLeaseRequest): Promise<LeaseView[]>
  releaseLease(input: ReleaseLeaseRequest): Promise<LeaseView[]>
  leases(input: ListLeasesRequest): Promise<LeaseView[]>
}

type Ask = <T>(route: RouteName, call: { input: object }) => Promise<T>

export const createLeaseClient = (ask: Ask): LeaseClient => ({
  takeLease: (input) => ask('takeLease', { input }),
  renewLease: (input) => ask('renewLease', { input }),
  releaseLease: (input) => ask('releaseLease', { input }),
  leases: (input) => ask('leases', { input }),
})
