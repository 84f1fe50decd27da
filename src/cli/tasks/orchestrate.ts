import { type LaunchFlags, toLaunch } from '../team/launch.ts'
import { type NewFlags, textsOf } from './new.ts'
import { showTask } from './shown.ts'

interface OrchestrateFlags extends NewFlags, LaunchFlags {
  agents?: number
  takeOver?: boolean
  save?: boolean
}

const usualAgents = 2

export const run = showTask(async (context, flags: OrchestrateFlags, name) => {
  const { agents = usualAgents, takeOver, save } = flags
  const [texts, launch] = [await textsOf(context, flags), await toLaunch(context, flags)]
  return context.connect().orchestrate({ cwd: context.cwd(), name, agents, takeOver, save, launch, ...texts })
})
