import type { Action } from '../../../contract/action.ts'
import type { Driver } from '../../../drivers/contract.ts'
import { drivers } from '../../../drivers/registry.ts'
import type { RecordedAgent } from './agents.ts'

/** Undefined for a CLI that this Rein does not know. */
export const driverOf = ({ driver }: Pick<RecordedAgent, 'driver'>): Driver | undefined =>
  drivers.find(({ name }) => name === driver)

/** The actions of a recorded call. */
export const actionsOf = (agent: RecordedAgent, tool: string, input: Record<string, unknown>): readonly Action[] =>
  driverOf(agent)?.actions(tool, input).actions ?? []
