import type { HostKind, LaunchRequest } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { TeamAgent } from '../../contract/team.ts'
import type { Driver } from '../../drivers/contract.ts'
import { drivers } from '../../drivers/registry.ts'
import {
  areTrusted,
  findForeigners,
  findTeam,
  foreignPlace,
  type Foreigners,
  someLinesOf,
} from '../trust/repository.ts'
import { trust } from '../trust/trusted.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { quoted } from '../../base/util/shell.ts'

interface Parts {
  paths: ReinPaths
}
type Env = Record<string, string>

interface Start {
  request: LaunchRequest
  host: HostKind
  env: Env
}

/** Nothing of a directory runs that nobody has trusted: neither the person who used its CLI there, nor by Rein. */
export const refuseUntrusted = async (
  { paths }: Parts,
  driver: Driver,
  { request, host, env }: Start,
): Promise<void> => {
  if (driver.foreign.asks(host, request)) return
  const { cwd } = request
  const found = await untrustedIn({ paths }, driver, cwd, { ...env, ...request.env })
  if (found !== null) refuse(`${cwd} is not trusted, and ${driver.title} would run what it brings along:`, found, cwd)
}

/** What the CLI would run there without anybody having been asked; null if there is nothing. */
export const untrustedIn = async (
  { paths }: Parts,
  driver: Driver,
  cwd: string,
  env: Env,
): Promise<Foreigners | null> => {
  const place = foreignPlace(cwd, env, paths)
  const found = findForeigners(driver, place)
  if (found === null || driver.foreign.isTrusted(place) || (await areTrusted(paths.state, found))) return null
  return found
}

export const trustDirectory = async ({ paths }: Parts, driver: Driver, cwd: string, env: Env): Promise<void> => {
  const found = findForeigners(driver, foreignPlace(cwd, env, paths))
  if (found !== null) await trust(paths.state, [found])
}

const refuse = (what: string, found: Foreigners, cwd: string): never => {
  const hint = `Look at it, then: rein trust ${quoted(cwd)}`
  throw new ReinError('untrusted', [what, ...someLinesOf(found, cwd)].join('\n'), hint)
}

interface TeamOfFile {
  file: string
  root: string
  agents: Record<string, TeamAgent>
}

/** The file says who is started, where, and with which prompt. */
export const refuseUntrustedTeam = async (
  { paths }: Parts,
  { file, root, agents }: TeamOfFile,
  { env, drivers: usual, trust: isTrusted }: { env: Env; drivers: readonly string[]; trust?: boolean | undefined },
): Promise<void> => {
  const found = findTeam(file, agents, root)
  if (found === null) return
  if (isTrusted === true) return trust(paths.state, [found])
  if (await areTrusted(paths.state, found)) return
  const named = new Set(Object.values(agents).map(({ driver = usual[0] ?? '' }) => driver))
  const place = foreignPlace(root, env, paths)
  // One that there is not starts nothing.
  if (drivers.filter(({ name }) => named.has(name)).every(({ foreign }) => foreign.isTrusted(place))) return
  refuse(`${file} is not trusted, and says what agents are started with:`, found, root)
}

/** A person has had Rein write it: it is as trusted as it was before. */
export const keepTeamTrusted = async (
  { paths }: Parts,
  read: () => TeamOfFile,
  write: () => Promise<void>,
): Promise<void> => {
  const before = findOf(read())
  const wasTrusted = before === null || (await areTrusted(paths.state, before))
  await write()
  const after = findOf(read())
  if (wasTrusted && after !== null) await trust(paths.state, [after])
}

const findOf = ({ file, root, agents }: TeamOfFile): Foreigners | null => findTeam(file, agents, root)
