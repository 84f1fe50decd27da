import type { HostKind } from '../contract/agent.ts'
import type { DoctorView } from '../contract/routes/daemon.ts'
import type { Capabilities, Capability, Driver } from './contract.ts'
import { detect } from './detect.ts'
import { findLogin } from './login.ts'

type DriverView = Omit<DoctorView['drivers'][number], 'hooks'>

/** What can be told about a CLI without starting an agent: whether it is here, its version, its login, what it can do. */
export const inspectDriver = async (
  driver: Driver,
  env: NodeJS.ProcessEnv,
  configuredPath: string | null,
): Promise<DriverView> => {
  const { name, title, minVersion } = driver
  const installed = await detect(driver, env, configuredPath)
  const about = { name, title, minVersion, login: findLogin(driver.login, env) }
  if (installed === null) return { ...about, path: null, version: null, capabilities: null }
  const of = (host: HostKind): Capabilities => driver.capabilities(installed.version, host)
  const reasons = { ...driver.reasons(installed.version, 'stream'), ...driver.reasons(installed.version, 'tmux') }
  const entries = (Object.keys(of('tmux')) as Capability[]).map((capability) => {
    const [tmux, stream] = [of('tmux')[capability], of('stream')[capability]]
    return [capability, { tmux, stream, reason: tmux && stream ? null : (reasons[capability] ?? null) }] as const
  })
  return { ...about, ...installed, capabilities: Object.fromEntries(entries) }
}
