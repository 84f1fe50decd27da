import { statSync } from 'node:fs'
import type { DoctorView } from '../../contract/api-types.ts'
import { detect } from '../../drivers/detect.ts'
import { drivers } from '../../drivers/registry.ts'
import { isAtLeast } from '../../drivers/version.ts'
import { proxyWarnings } from '../../util/proxy-env.ts'
import type { Services } from '../services.ts'
import { configuredPath } from './agents.ts'

type Check = DoctorView['checks'][number]
type DriverView = DoctorView['drivers'][number]

/** What works here, what does not, and what to do about it. */
export const doctor = async (services: Services): Promise<DoctorView> => {
  const found = await Promise.all(drivers.map((driver) => inspect(services, driver)))
  return {
    checks: [...directories(services), ...hookChecks(services), ...proxyChecks(), ...found.map(driverCheck)],
    drivers: found,
  }
}

const inspect = async (services: Services, driver: (typeof drivers)[number]): Promise<DriverView> => {
  const installed = await detect(driver, process.env, configuredPath(services, driver))
  const { name, title, minVersion } = driver
  const capabilities = installed === null ? null : { ...driver.capabilities(installed.version, 'tmux') }
  return { name, title, minVersion, path: installed?.path ?? null, version: installed?.version ?? null, capabilities }
}

const driverCheck = ({ name, title, version, minVersion, capabilities }: DriverView): Check => {
  if (version === null)
    return { name, ok: false, detail: `${title} was not found.`, hint: `rein config set ${name}.path PATH` }
  if (!isAtLeast(version, minVersion))
    return { name, ok: false, detail: `${title} ${version} is older than ${minVersion}.`, hint: 'Upgrade it.' }
  const untried = capabilities?.proven === true ? '' : '; this version was not tried, only what is sure is used'
  return { name, ok: true, detail: `${title} ${version}${untried}` }
}

const directories = ({ paths }: Services): Check[] =>
  (['state', 'runtime'] as const).map((name) => {
    const mode = statSync(paths[name]).mode & 0o777
    return { name: `${name} directory`, ok: (mode & 0o077) === 0, detail: `${paths[name]} (mode ${mode.toString(8)})` }
  })

const hookChecks = ({ settings }: Services): Check[] => {
  if (settings['hooks.transport'] === 'socket')
    return [{ name: 'hooks', ok: true, detail: 'Hooks go through the Unix socket.' }]
  const detail = 'Hooks go over HTTP: while the daemon is down, another user of this machine could answer them.'
  return [{ name: 'hooks', ok: false, detail, hint: 'rein config set hooks.transport socket' }]
}

const proxyChecks = (): Check[] => proxyWarnings(process.env).map((detail) => ({ name: 'proxy', ok: true, detail }))
