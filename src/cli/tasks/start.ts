import type { CliContext, JsonFlag } from '../context.ts'
import { type LaunchFlags, toLaunch } from '../team/launch.ts'
import { showTask } from './shown.ts'

export interface StartFlags extends Omit<LaunchFlags, 'drivers'> {
  driver?: string
}

export const run = async (
  context: CliContext,
  { json, driver, ...flags }: StartFlags & JsonFlag,
  name: string,
): Promise<void> => {
  const launch = await toLaunch(context, { ...flags, ...(driver === undefined ? {} : { drivers: driver }) })
  showTask(context, await context.connect().startTask({ cwd: context.cwd(), name, launch }), { json })
}
