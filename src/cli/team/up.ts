import { type LaunchFlags, toLaunch } from './launch.ts'
import { showTeam } from '../tasks/shown.ts'

export const run = showTeam(async (context, flags: Omit<LaunchFlags, 'drivers'>) =>
  context.connect().teamUp({ cwd: context.cwd(), launch: await toLaunch(context, flags) }),
)
