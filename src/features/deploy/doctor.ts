import type { DoctorCheck, DoctorView } from '../../contract/routes/daemon.ts'
import type { Driver } from '../../drivers/contract.ts'
import { inspectDriver } from '../../drivers/inspect.ts'
import { drivers } from '../../drivers/registry.ts'
import { proxyWarnings } from '../../base/util/proxy-env.ts'
import { version as reinVersion } from '../../base/util/version.ts'
import type { DeployParts, DoctorRequest } from './parts.ts'
import { configuredPath, launchContext } from '../../agents/launch/launch-context.ts'
import { deployed } from './deployed.ts'

type DriverView = DoctorView['drivers'][number]

/** The checks that only the daemon can make: `rein doctor` checks the machine itself. */
export const doctor = async (
  parts: DeployParts,
  request: DoctorRequest,
  database: readonly DoctorCheck[],
): Promise<DoctorView> => {
  const found = await Promise.all(drivers.map((driver) => inspect(parts, driver, request)))
  const checks = [
    { name: 'daemon', ok: true, detail: `version ${reinVersion}, pid ${process.pid}` },
    ...database,
    ...transport(parts),
    ...proxyWarnings(request.env).map((detail) => ({ name: 'proxy', ok: false, detail })),
    ...(await deployed(parts, request)),
  ]
  return { checks, drivers: found }
}

const inspect = async (
  parts: DeployParts,
  driver: Driver,
  { env, quick, signal }: DoctorRequest,
): Promise<DriverView> => {
  const view = await inspectDriver(driver, env, configuredPath(parts, driver))
  const { path, version } = view
  if (quick || path === null || version === null) return { ...view, hooks: null }
  // A stream agent is started and ended at its first hook call; its model is never asked.
  const id = parts.newId('agt')
  const agent = { id, handle: 'canary', cwd: parts.canaries.directory }
  const context = launchContext(parts, driver, 'stream', { path, version }, env, agent, null)
  return { ...view, hooks: await parts.canaries.sing(driver, id, context, signal) }
}

const transport = ({ settings }: DeployParts): DoctorCheck[] => {
  if (settings['hooks.transport'] === 'socket')
    return [{ name: 'hooks', ok: true, detail: 'They reach the daemon through its socket.' }]
  const detail =
    "Hooks go over HTTP: while the daemon is down, another user of this machine could answer them, and a project's settings can forbid them; guards hold all the same."
  return [{ name: 'hooks', ok: false, detail, hint: 'rein config set hooks.transport socket' }]
}
