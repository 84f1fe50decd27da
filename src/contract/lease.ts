import { z } from 'zod'
import { AgentRef } from './identity.ts'

/** A claim on files of a project for a while. */
export const Lease = z.object({
  id: z.string(),
  project: z.string(),
  /** Paths from the top of the project, as a glob. */
  glob: z.string().min(1).max(500),
  /** Exclusive: nobody else changes such a file. Shared: whoever has it, too, may, and nobody has it exclusively. */
  mode: z.enum(['exclusive', 'shared']),
  /** Null: the person in charge. */
  holder: AgentRef.nullable(),
  /** What it is for, in a few words. */
  why: z.string().max(200).nullable(),
  at: z.number(),
  /** When it ends by itself: by the wall clock, and at the latest so long after it was taken by a clock that cannot be set. */
  until: z.number(),
})
export type Lease = z.infer<typeof Lease>
