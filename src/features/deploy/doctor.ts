import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { z } from 'zod'
import type { HostKind } from '../../contract/agent.ts'
import type { DoctorInput, DoctorView } from '../../contract/routes/daemon.ts'
import type { Capabilities, Capability, Driver, Installed } from '../../drivers/contract.ts'
import { detect } from '../../drivers/detect.ts'
import { drivers } from '../../drivers/registry.ts'
import { isAtLeast } from '../../drivers/version.ts'
import { proxyWarnings } from '../../base/util/proxy-env.ts'
import { version as reinVersion } from '../../base/util/version.ts'
import type { DeployParts } from './parts.ts'
import { configuredPath, launchContext } from '../../agents/launch/launch-context.ts'
import { deployed } from './deployed.ts'

type Check = DoctorView['checks'][number]
type DriverView = DoctorView['drivers'][number]
type Input = z.infer<typeof DoctorInput>

const run = promisify(execFile)

/** What works here, what does not, and what to do about it. */
export const doctor = async (parts: DeployParts, input: Input, database: readonly Check[]): Promise<DoctorView> => {
  const found = await Promise.all(drivers.map((driver) => inspect(parts, driver, input)))
  const checks = [
    { name: 'daemon', ok: true, detail: `version ${reinVersion}, pid ${process.pid}` },
    ...directories(parts),
    ...database,
    await program('tmux', ['-V'], 'Agents can run in a terminal.', 'Install it to use --host tmux.'),
    await program('curl', ['--version'], 'Hooks reach the daemon through it.', 'Install it: hooks need it.'),
    ...transport(parts),
    ...proxyWarnings(input.env).map((detail) => ({ name: 'proxy', ok: false, detail })),
    ...found.flatMap(driverChecks),
    ...(await deployed(parts, input)),
  ]
  return { checks: found.every(({ version }) => version === null) ? [...checks, noCli] : checks, drivers: found }
}

const noCli: Check = {
  name: 'agent CLIs',
  ok: false,
  detail: 'None was found.',
  hint: `Install one of: ${drivers.map(({ title }) => title).join(', ')}.`,
}

const inspect = async (parts: DeployParts, driver: Driver, { env, quick }: Input): Promise<DriverView> => {
  const installed = await detect(driver, env, configuredPath(parts, driver))
  const { name, title, minVersion } = driver
  const about = { name, title, minVersion }
  if (installed === null) return { ...about, path: null, version: null, capabilities: null, hooks: null }
  const hooks = quick ? null : await canary(parts, driver, installed, env)
  return { ...about, path: installed.path, version: installed.version, capabilities: able(driver, installed), hooks }
}

const able = (driver: Driver, { version }: Installed): NonNullable<DriverView['capabilities']> => {
  const of = (host: HostKind): Capabilities => driver.capabilities(version, host)
  const reasons = { ...driver.reasons(version, 'stream'), ...driver.reasons(version, 'tmux') }
  const entry = (name: Capability) => {
    const [tmux, stream] = [of('tmux')[name], of('stream')[name]]
    return [name, { tmux, stream, reason: tmux && stream ? null : (reasons[name] ?? null) }] as const
  }
  return Object.fromEntries((Object.keys(of('tmux')) as Capability[]).map(entry))
}

/** A stream agent is started and ended at its first hook call; its model is never asked. */
const canary = (parts: DeployParts, driver: Driver, installed: Installed, env: Input['env']) => {
  const agent = parts.newId('agt')
  const cwd = join(parts.paths.state, 'canaries')
  const context = launchContext(parts, driver, 'stream', installed, env, { id: agent, handle: 'canary', cwd }, null)
  return parts.canaries.sing(driver, agent, cwd, context)
}

const driverChecks = (view: DriverView): Check[] => {
  const { name, title, version, path, minVersion, capabilities, hooks } = view
  if (version === null) return [{ name, ok: true, detail: `${title} is not installed.` }]
  const hint = `Upgrade it, or name another: rein config set ${name}.path PATH`
  if (!isAtLeast(version, minVersion))
    return [{ name, ok: false, detail: `${title} ${version} is older than ${minVersion}.`, hint }]
  const untried =
    capabilities?.['proven']?.tmux === true ? '' : '; this version was not tried, only what is sure is used'
  const check = { name, ok: true, detail: `${title} ${version} at ${path}${untried}` }
  if (hooks === null) return [check]
  const help = hooks.fired ? {} : { hint: `Start it by hand and see whether it asks for something: ${name}` }
  return [check, { name: `${name} hooks`, ok: hooks.fired, detail: hooks.fired ? 'They fire.' : hooks.detail, ...help }]
}

const directories = ({ paths }: DeployParts): Check[] =>
  (['state', 'runtime'] as const).map((name) => {
    const mode = statSync(paths[name]).mode & 0o777
    const ok = (mode & 0o077) === 0
    const check = { name: `${name} directory`, ok, detail: `${paths[name]} (mode ${mode.toString(8)})` }
    return ok ? check : { ...check, hint: `chmod 700 ${paths[name]}` }
  })

const program = async (name: string, args: string[], detail: string, hint: string): Promise<Check> => {
  try {
    const { stdout } = await run(name, args, { timeout: 5000 })
    const version = /\d+(\.\d+)+\w*/.exec(stdout)?.[0] ?? ''
    return { name, ok: true, detail: `${version}. ${detail}` }
  } catch {
    return { name, ok: false, detail: 'It is not installed.', hint }
  }
}

const transport = ({ settings }: DeployParts): Check[] => {
  if (settings['hooks.transport'] === 'socket')
    return [{ name: 'hooks', ok: true, detail: 'Hooks go through the Unix socket.' }]
  const detail =
    "Hooks go over HTTP: while the daemon is down, another user of this machine could answer them, and a project's settings can forbid them; guards hold all the same."
  return [{ name: 'hooks', ok: false, detail, hint: 'rein config set hooks.transport socket' }]
}
