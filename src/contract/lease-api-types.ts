import type { z } from 'zod'
import type * as api from './lease-api.ts'

/** The shapes of lease-api.ts for callers that must not load the schemas. */
export type TakeLeaseRequest = z.input<typeof api.TakeLeaseInput>
export type RenewLeaseRequest = z.input<typeof api.RenewLeaseInput>
export type ReleaseLeaseRequest = z.input<typeof api.ReleaseLeaseInput>
export interface ListLeasesRequest {
  cwd: string
  glob?: string
  all?: boolean
}
export type LeaseView = z.infer<typeof api.LeaseOutput>
