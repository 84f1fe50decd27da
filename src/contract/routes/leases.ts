import { z } from 'zod'
import { LeaseEnd, LeaseGlob, LeaseMode, LeaseWhy } from '../lease.ts'
import { longestLeaseMs, longestWaitMs, shortestLeaseMs, usualLeaseMs } from '../lease-limits.ts'
import { HereInput, time } from './fields.ts'
import { RoomsInput } from './team.ts'

const ttlMs = z.number().int().min(shortestLeaseMs).max(longestLeaseMs).default(usualLeaseMs)

export const TakeLeaseInput = HereInput.extend({
  glob: LeaseGlob,
  mode: LeaseMode.default('exclusive'),
  ttlMs,
  why: LeaseWhy.optional(),
  waitMs: z.number().int().min(0).max(longestWaitMs).default(0),
})
/** By its glob, or by its id. */
export const RenewLeaseInput = HereInput.extend({ lease: LeaseGlob, ttlMs })
export const ReleaseLeaseInput = HereInput.extend({ lease: LeaseGlob })
export const ListLeasesInput = RoomsInput.extend({ glob: LeaseGlob.optional() })

export const LeaseOutput = z.object({
  id: z.string(),
  project: z.string(),
  root: z.string().describe('the top of the work tree that its files are in'),
  glob: z.string().describe('the files, from there'),
  mode: LeaseMode,
  holder: z.string().nullable().describe('a handle; null: the person in charge'),
  why: z.string().nullable(),
  at: time('when it was taken'),
  until: time('when it ends by itself'),
  ended: LeaseEnd.nullable().describe('null: it is held'),
  endedAt: time('when it ended').nullable(),
})
export const LeasesOutput = z.array(LeaseOutput)

/** What the commands about leases print with `--json`. */
export const leaseOutputs = {
  'rein lease take': LeaseOutput,
  'rein lease renew': LeasesOutput,
  'rein lease release': LeasesOutput,
  'rein lease list': LeasesOutput,
} as const

export type TakeLeaseRequest = z.input<typeof TakeLeaseInput>
export type RenewLeaseRequest = z.input<typeof RenewLeaseInput>
export type ReleaseLeaseRequest = z.input<typeof ReleaseLeaseInput>
export interface ListLeasesRequest {
  cwd: string
  glob?: string
  all?: boolean
}
export type LeaseView = z.infer<typeof LeaseOutput>
