import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Client } from '../../client/client.ts'
import { withoutAgent } from '../../client/agent-env.ts'
import { ReinError } from '../../contract/errors.ts'
import type { UninstallView } from '../../contract/outputs/installation.ts'
import type { AgentView } from '../../contract/routes/agents.ts'
import type { DeployView } from '../../contract/routes/deployments.ts'
import { requireConfirmed } from '../confirm.ts'
import type { CliContext, JsonFlag } from '../context.ts'
import { refuseAgents } from '../person-only.ts'
import { remove, serviceHere, status } from '../service/manage.ts'
import { findInstallation } from './installation.ts'
import { uninstallText } from './text.ts'

export interface UninstallFlags {
  purge?: boolean
  yes?: boolean
  dryRun?: boolean
}

export const run = async (context: CliContext, flags: UninstallFlags & JsonFlag): Promise<void> => {
  const { out, connect } = context
  await refuseAgents(context, 'uninstall Rein')
  const client = connect()
  const agents = (await client.ps({})).filter(({ state, host }) => state !== 'stopped' && host !== 'outside')
  const planned = await describe(context, flags, agents, await cleanUp(context, client, true))
  const show = (view: UninstallView): void => {
    if (flags.json) return out.document(view)
    for (const line of uninstallText(view)) out.line(line)
  }
  if (flags.purge) {
    // A REIN_HOME that somebody lives in holds more than Rein's data.
    const lived = planned.data.find((place) =>
      [context.env['HOME'] ?? homedir(), context.cwd()].some((home) => isBelow(home, place)),
    )
    if (lived !== undefined)
      throw new ReinError(
        'refused',
        `${lived} holds more than Rein's data, so it is not deleted.`,
        'Run it elsewhere, or without --purge.',
      )
  }
  if (flags.dryRun) return show(planned)
  if (!flags.yes) {
    if (!flags.json) show(planned)
    const question = flags.purge ? 'Uninstall Rein and delete its data?' : 'Uninstall Rein?'
    if (!(await requireConfirmed(context, flags, question, 'Without a question: rein uninstall --yes'))) return
  }
  for (const { handle, cwd } of agents) await client.down({ target: handle, cwd })
  const done = await describe(context, flags, agents, await cleanUp(context, client, false))
  if (planned.service !== null) await remove(serviceHere(context))
  await connect({ start: false }).stop()
  if (flags.purge) for (const place of planned.data) await rm(place, { recursive: true, force: true })
  show({ ...done, isDone: true, service: planned.service, data: planned.data })
}

/** In every project and for everything: what Rein wrote down about it says where. */
const cleanUp = ({ env, cwd }: CliContext, client: Client, dryRun: boolean): Promise<DeployView> =>
  client.cleanup({ everywhere: true, cwd: cwd(), env: withoutAgent(env), dryRun })

const describe = async (
  context: CliContext,
  { purge = false }: UninstallFlags,
  agents: readonly AgentView[],
  { files }: DeployView,
): Promise<UninstallView> => {
  const service = await status(serviceHere(context))
  const { remove: command } = findInstallation()
  // All directories of Rein's own, none of them inside of another one that is listed.
  const { state, runtime, config } = context.paths()
  const { REIN_HOME, XDG_CACHE_HOME, HOME } = context.env
  const cache = REIN_HOME ? [] : [join(XDG_CACHE_HOME || join(HOME ?? '', '.cache'), 'rein')]
  const all = [...new Set([state, runtime, dirname(config), ...cache])]
  return {
    isDone: false,
    agents: agents.map(({ project, handle }) => `${project}/${handle}`),
    files: files.filter(({ what }) => what !== 'refused').map(({ path }) => path),
    refused: files.filter(({ what }) => what === 'refused').map(({ path, reason }) => `${path}: ${reason}`),
    service: service.what === 'absent' ? null : service.file,
    data: all.filter((place) => existsSync(place) && !all.some((other) => other !== place && isBelow(place, other))),
    isPurged: purge,
    left: command === null ? [] : [command],
  }
}

const isBelow = (file: string, directory: string): boolean => `${file}/`.startsWith(`${directory}/`)
