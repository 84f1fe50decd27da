import type { CliContext, JsonFlag } from '../context.ts'
import { type LaunchFlags, toLaunch } from '../team/launch.ts'
import { type NewFlags, textsOf } from './new.ts'
import { showTask } from './shown.ts'

export interface OrchestrateFlags extends NewFlags, LaunchFlags {
  agents?: number
  takeOver?: boolean
  save?: boolean
}

const usualAgents = 2

export const run = async (context: CliContext, flags: OrchestrateFlags & JsonFlag, name: string): Promise<void> => {
  const { agents = usualAgents, takeOver, save, json } = flags
  const [texts, launch] = [await textsOf(context, flags), await toLaunch(context, flags)]
  const given = { cwd: context.cwd(), name, agents, takeOver, save, launch, ...texts }
  showTask(context, await context.connect().orchestrate(given), { json })
}
