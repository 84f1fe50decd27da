import type { z } from 'zod'
import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { DoctorInput } from '../../contract/routes/daemon.ts'

/** The parts that the checks use. */
export type DeployParts = Base & Pick<Agents, 'canaries'>

/** `signal`: nobody waits for the checks any more. */
export type DoctorRequest = z.infer<typeof DoctorInput> & { signal: AbortSignal }
