import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'

/** What the checks of a machine work with. */
export type DeployParts = Base & Pick<Agents, 'canaries'>
