import { withoutAgent } from '../../client/agent-env.ts'
import type { SetupRequest } from '../../contract/routes/deployments.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { showDeployment } from './text.ts'

export interface SelectionFlags {
  driver?: string[]
  global?: boolean
  dryRun?: boolean
}

interface SetupFlags extends SelectionFlags {
  shared?: boolean
}

export const run = async (context: CliContext, flags: SetupFlags & JsonFlag): Promise<void> =>
  showDeployment(
    context,
    await context.connect().setup(toRequest(context, flags)),
    flags,
    `Agents you start ${flags.global ? '' : 'here '}from now on use Rein. See them: rein ps`,
  )

export const toRequest = ({ env, cwd }: CliContext, { driver, global, shared, dryRun }: SetupFlags): SetupRequest => ({
  clis: driver ?? [],
  isGlobal: global ?? false,
  isShared: shared ?? false,
  cwd: cwd(),
  env: withoutAgent(env),
  dryRun: dryRun ?? false,
})
