import type { CliContext, JsonFlag } from '../context.ts'
import { type LaunchFlags, toLaunch } from './launch.ts'
import { showTeam } from '../tasks/shown.ts'

export type TeamUpFlags = Omit<LaunchFlags, 'drivers'>

export const run = async (context: CliContext, { json, ...flags }: TeamUpFlags & JsonFlag): Promise<void> => {
  const launch = await toLaunch(context, flags)
  showTeam(context, await context.connect().teamUp({ cwd: context.cwd(), launch }), json)
}
