import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DoctorView } from '../../contract/api-types.ts'
import type { Installation, Register } from '../../deploy/register.ts'
import { drivers } from '../../drivers/registry.ts'
import { version } from '../../util/version.ts'
import type { Services } from '../services.ts'

type Check = DoctorView['checks'][number]

/** What `rein setup` has put where, and whether it is still there. */
export const deployed = async ({ paths }: Services, env: NodeJS.ProcessEnv): Promise<Check[]> => {
  const { readRegister } = await import('../../deploy/register.ts')
  try {
    const register = readRegister(paths.state)
    return register.installations.map((one) => installationCheck(one, register, env))
  } catch (cause) {
    return [{ name: 'deployments', ok: false, detail: (cause as Error).message }]
  }
}

const installationCheck = (one: Installation, register: Register, env: NodeJS.ProcessEnv): Check => {
  const { driver, scope, project, rein, cli } = one
  const name = `${driver} setup`
  const where = scope === 'user' ? 'for all of your conversations' : `in ${project}`
  const detail = `Rein ${rein} for ${driver} ${cli}, ${where}`
  if (rein !== version) return { name, ok: false, detail: `${detail}: older than this Rein`, hint: 'rein update' }
  const doubt = doubtOf(one, register, env)
  if (doubt !== null) return { name, ok: false, detail: `${detail}: nothing fires. ${doubt.path}`, hint: doubt.reason }
  const changed = filesOf(one, register).filter(({ target, after }) => hashOf(target) !== after)
  if (changed.length === 0) return { name, ok: true, detail }
  const files = changed.map(({ target }) => target).join(', ')
  return { name, ok: true, detail: `${detail}; edited since: ${files}` }
}

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
