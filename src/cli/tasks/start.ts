import { type LaunchFlags, toLaunch } from '../team/launch.ts'
import { showTask } from './shown.ts'

interface StartFlags extends Omit<LaunchFlags, 'drivers'> {
  driver?: string
}

export const run = showTask(async (context, { driver, ...flags }: StartFlags, name) => {
  const launch = await toLaunch(context, { ...flags, ...(driver === undefined ? {} : { drivers: driver }) })
  return context.connect().startTask({ cwd: context.cwd(), name, launch })
})
