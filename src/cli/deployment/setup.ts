import { withoutAgent } from '../../client/agent-env.ts'
import type { DeployView, SetupRequest } from '../../contract/routes/deployments.ts'
import { isInstalled } from '../agents/host.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { type SetupFlags, showDeployment } from './text.ts'

export const run = async (context: CliContext, flags: SetupFlags & JsonFlag): Promise<void> => {
  const request = toRequest(context, flags)
  const view = await context.connect().setup(request)
  showDeployment(context, view, flags, { command: 'rein setup', next: nextSteps(view, context, flags) })
  const warning = pathWarning(request)
  if (warning !== null) context.out.note(warning)
}

/** Files that others get name no path of this machine, so that it is not seen in them. */
export const pathWarning = ({ isShared, isGlobal, isOnPath }: SetupRequest): string | null =>
  isShared && !isGlobal && !isOnPath
    ? 'Shared files start the MCP server as `rein`, which on your PATH is not this Rein: put this one there.'
    : null

/** Each driver is named as its program, unless a setting leads to another one. */
const nextSteps = ({ files }: DeployView, { env }: CliContext, { global: isGlobal }: SetupFlags): string[] => {
  const drivers = files.flatMap((file) => file.drivers)
  const program = drivers.find((driver) => isInstalled(driver, env['PATH'] ?? ''))
  return [
    `Agents you start ${isGlobal ? '' : 'here '}from now on use Rein.${program === undefined ? '' : ` Start one: ${program}`}`,
    'Then see it from another terminal: rein ps',
  ]
}

export const toRequest = (
  { env, cwd, command }: CliContext,
  { driver, global, shared, dryRun }: SetupFlags,
): SetupRequest => ({
  clis: driver ?? [],
  isGlobal: global ?? false,
  isShared: shared ?? false,
  isOnPath: command() === 'rein',
  cwd: cwd(),
  env: withoutAgent(env),
  dryRun: dryRun ?? false,
})
