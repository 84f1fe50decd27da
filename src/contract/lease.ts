import { z } from 'zod'
import { AgentRef } from './identity.ts'
import { defineRecords } from './record-kind.ts'

const leaseModes = ['exclusive', 'shared'] as const
export const LeaseMode = z.enum(leaseModes)
export type LeaseMode = z.infer<typeof LeaseMode>

export const LeaseGlob = z.string().min(1).max(500)
/** As a request gives it; stored, it may be longer, because marks take the place of secrets. */
export const LeaseWhy = z.string().max(200)

/** A claim on files of a project for a while. */
export const Lease = z.object({
  id: z.string(),
  project: z.string(),
  /** The top of the work tree that its files are in: the same path in another work tree is another file. */
  root: z.string(),
  /** Paths from there, as a glob. */
  glob: LeaseGlob,
  /** Exclusive: only the holder may change these files. Shared: no exclusive lease may overlap it. */
  mode: LeaseMode,
  /** Null: the user. */
  holder: AgentRef.nullable(),
  /** Its purpose, in a few words. */
  why: z.string().nullable(),
  at: z.number(),
  /** When it ends by itself: by the wall clock, and at the latest so long after it was taken by a clock that cannot be set. */
  until: z.number(),
})
export type Lease = z.infer<typeof Lease>

const leaseEnds = ['released', 'expired', 'taken away'] as const
export const LeaseEnd = z.enum(leaseEnds)
export type LeaseEnd = z.infer<typeof LeaseEnd>

export const leaseRecords = defineRecords(
  'leases',
  {
    'lease.taken': [1, z.object({ lease: Lease })],
    /** Without `why` it is still for what it was for. */
    'lease.renewed': [1, z.object({ lease: z.string(), until: z.number(), why: z.string().nullable().optional() })],
    /** By its holder, by a person, or because its time is over. */
    'lease.ended': [1, z.object({ lease: z.string(), why: LeaseEnd })],
    /** A change of a file was denied because of it. */
    'lease.denied': [1, z.object({ lease: z.string(), path: z.string(), tool: z.string() })],
  },
  { isClean: true },
)
