import { z } from 'zod'
import { longestLeaseMs, longestWaitMs, shortestLeaseMs, usualLeaseMs } from '../lease-limits.ts'
import { LeaseEnd, LeaseGlob, LeaseMode, LeaseWhy } from '../lease.ts'
import { type ClientInput, HereInput, time } from './fields.ts'
import { route, type Routes } from './route.ts'
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
  holder: z.string().nullable().describe('a handle; null: the user'),
  why: z.string().nullable(),
  at: time('when it was taken'),
  until: time('when it ends by itself'),
  ended: LeaseEnd.nullable().describe('null: it is held'),
  endedAt: time('when it ended').nullable(),
})
export const LeasesOutput = z.array(LeaseOutput)

export type TakeLeaseRequest = ClientInput<typeof TakeLeaseInput>
export type LeaseView = z.infer<typeof LeaseOutput>

/** Leases on files. */
export const leaseRoutes = {
  takeLease: route({
    method: 'POST',
    path: '/v1/leases',
    input: TakeLeaseInput,
    output: LeaseOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein lease take'],
    help: 'Takes a lease on files, at once or when they are free.',
  }),
  leases: route({
    method: 'GET',
    path: '/v1/leases',
    input: ListLeasesInput,
    output: LeasesOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein lease list'],
    help: 'Lists the leases of a project.',
  }),
  renewLease: route({
    method: 'POST',
    path: '/v1/leases/renew',
    input: RenewLeaseInput,
    output: LeasesOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein lease renew'],
    help: 'Keeps a lease for longer.',
  }),
  releaseLease: route({
    method: 'POST',
    path: '/v1/leases/release',
    input: ReleaseLeaseInput,
    output: LeasesOutput,
    scope: 'tell',
    agentMay: true,
    commands: ['rein lease release'],
    help: 'Gives a lease back.',
  }),
} satisfies Routes
