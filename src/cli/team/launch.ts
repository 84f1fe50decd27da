import { launchEnv } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import type { TeamLaunchRequest } from '../../contract/routes/tasks.ts'
import type { CliContext } from '../context.ts'
import { givenPolicy } from '../agents/given-policy.ts'
import { namedHost, usualHost } from '../agents/host.ts'
import { loadSettings } from '../settings.ts'

export interface LaunchFlags {
  drivers?: string
  host?: string
  permissionMode?: string
  autoApprove?: boolean
  policy?: string[]
  trust?: boolean
}

/** How the agents of a team are started: as the flags say, else as the settings do. */
export const toLaunch = async (context: CliContext, flags: LaunchFlags): Promise<TeamLaunchRequest> => {
  const settings = await loadSettings(context, context.cwd())
  const usual = settings['agents.driver'].value
  const model = settings['agents.model'].value
  const drivers = flags.drivers?.split(',').map((name) => name.trim()) ?? [usual]
  if (drivers.includes(''))
    throw new ReinError('usage', `--drivers takes names with commas between them, not "${flags.drivers}".`)
  return {
    host: flags.host === undefined ? usualHost(settings['agents.host'].value, context.env) : namedHost(flags.host),
    drivers,
    // Another CLI would not know it.
    models: model === null ? {} : { [usual]: model },
    permissionMode: flags.permissionMode ?? settings['agents.permission_mode'].value ?? undefined,
    autoApprove: flags.autoApprove || undefined,
    policy: givenPolicy(context, flags, settings['agents.policy'].value),
    trust: flags.trust || undefined,
    env: launchEnv(context.env),
  }
}
