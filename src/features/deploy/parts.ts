import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'

/** The parts that the checks use. */
export type DeployParts = Base & Pick<Agents, 'canaries'>
