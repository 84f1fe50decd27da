import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DoctorView } from '../../contract/routes/daemon.ts'
import type { Installation, Register } from './register.ts'
import { detect } from '../../drivers/detect.ts'
import { drivers } from '../../drivers/registry.ts'
import { childEnv } from '../../base/util/proxy-env.ts'
import { quoted } from '../../base/util/shell.ts'
import { version } from '../../base/util/version.ts'
import { configuredPath } from '../../agents/launch/launch-context.ts'
import type { DeployParts, DoctorRequest } from './parts.ts'
import { untrustedIn } from '../../agents/launch/untrusted.ts'
import { weakenedIn } from '../../agents/launch/weakened.ts'

type Check = DoctorView['checks'][number]

/** The files of `rein setup`, and whether its entries are still there. */
export const deployed = async (parts: DeployParts, request: DoctorRequest): Promise<Check[]> => {
  const { readRegister } = await import('./register.ts')
  try {
    const register = readRegister(parts.paths.state)
    const checks: Check[] = []
    for (const one of register.installations) {
      const check = shieldCheck(parts, one, installationCheck(one, register, request.env), request.cwd)
      checks.push(check.ok && !request.quick ? await provenCheck(parts, one, check, request) : check)
    }
    return checks
  } catch (cause) {
    return [{ name: 'deployments', ok: false, detail: (cause as Error).message }]
  }
}

const installationCheck = (one: Installation, register: Register, env: NodeJS.ProcessEnv): Check => {
  const { driver, scope, project, rein, cli } = one
  const name = `${driver} setup`
  const where = scope === 'user' ? 'for all of your conversations' : `in ${project}`
  const detail = `Rein ${rein} for ${driver} ${cli}, ${where}`
  // The command that deploys it again, as it was.
  const again =
    scope === 'user'
      ? `rein setup --global --driver ${driver}`
      : `cd ${quoted(project)} && rein setup --driver ${driver}${one.isShared ? ' --shared' : ''}`
  if (rein !== version) return { name, ok: false, detail: `${detail}: older than this Rein`, hint: again }
  const doubt = doubtOf(one, register, env)
  if (doubt !== null) return { name, ok: false, detail: `${detail}: nothing fires. ${doubt.path}`, hint: doubt.reason }
  const changed = filesOf(one, register).filter(({ target, after }) => hashOf(target) !== after)
  if (changed.length === 0) return { name, ok: true, detail }
  const files = changed.map(({ target }) => target).join(', ')
  return { name, ok: true, detail: `${detail}; edited since: ${files}` }
}

/** A project that it is asked about may steer or switch off what was set up. */
const shieldCheck = (parts: DeployParts, one: Installation, check: Check, cwd: string | undefined): Check => {
  if (!check.ok || cwd === undefined || !isInForce(one, cwd)) return check
  const found = weakenedIn(parts, one.driver, cwd, false)
  if (found.length === 0) return check
  const detail = `${check.detail}: rules and guards may not hold what you start in ${cwd}. ${found.join('; ')}`
  const isOutranked = weakenedIn(parts, one.driver, cwd, true).length === 0
  const hint = isOutranked
    ? `Start it by Rein, whose settings outrank the project's: rein here --driver ${one.driver}`
    : 'Take that out of the project, or do not let an agent work in it.'
  return { ...check, ok: false, detail, hint }
}

/** Files may be as they should, and the CLI skip them all the same: it is started there once, and has to call. */
const provenCheck = async (
  parts: DeployParts,
  one: Installation,
  check: Check,
  request: DoctorRequest,
): Promise<Check> => {
  const { cwd, env, signal } = request
  const driver = drivers.find(({ name }) => name === one.driver)
  if (cwd === undefined || driver?.launchByHand === undefined || !isInForce(one, cwd)) return check
  const installed = await detect(driver, env, configuredPath(parts, driver))
  if (installed === null) return check
  // Without a terminal it would run what the directory brings along.
  if ((await untrustedIn(parts, driver, cwd, env)) !== null)
    return { ...check, detail: `${check.detail}; not tried in ${cwd}, which is not trusted: rein trust ${quoted(cwd)}` }
  const handle = parts.newId('canary')
  const plan = driver.launchByHand(installed, cwd, { ...(childEnv(env) as DoctorRequest['env']), REIN_HANDLE: handle })
  const song = await parts.canaries.singByHand(driver, handle, plan, signal)
  if (song.fired) return { ...check, detail: `${check.detail}; its hooks fire in ${cwd}` }
  const hint = `Start it there by hand and look at its own settings: cd ${quoted(cwd)} && ${driver.program}`
  return { ...check, ok: false, detail: `${check.detail}: its hooks do not fire in ${cwd}: ${song.detail}`, hint }
}

const isInForce = ({ scope, project }: Installation, cwd: string): boolean =>
  scope === 'user' || cwd === project || cwd.startsWith(`${project}/`)

/** The first file that its CLI does not read, and why. */
const doubtOf = (one: Installation, register: Register, env: NodeJS.ProcessEnv) => {
  const driver = drivers.find(({ name }) => name === one.driver)
  const paths = filesOf(one, register).map(({ target }) => target)
  const doubts = paths.map((path) => ({ path, reason: driver?.ignores?.(path, env) ?? null }))
  return doubts.find((doubt): doubt is { path: string; reason: string } => doubt.reason !== null) ?? null
}

const filesOf = ({ driver, scope, project }: Installation, { files }: Register): Register['files'] =>
  files.filter(({ parts }) =>
    parts.some(({ owner }) => owner.driver === driver && owner.scope === scope && owner.project === project),
  )

const hashOf = (path: string): string | null => {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return null
  }
}
