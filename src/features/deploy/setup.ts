import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { ReinError } from '../../contract/errors.ts'
import type { Deployment, Driver, Installed, SetupContext, Skill } from '../../drivers/contract.ts'
import { isAtLeast } from '../../drivers/version.ts'
import { hashOf } from './backup.ts'
import { type Change, deploy } from './deploy.ts'
import { type ProgramParts, programsIn, removePrograms, writePrograms } from './programs.ts'
import type { Outcome } from './reconcile.ts'
import {
  type FileEntry,
  type Installation,
  isOwner,
  type OwnedPart,
  type Owner,
  readRegister,
  type Register,
} from './register.ts'
import { realTarget } from './target.ts'
import { watchEnv } from './watched-env.ts'

/** What this Rein deploys, and with which drivers. */
export interface Deployer extends ProgramParts {
  version: string
  mcp: readonly string[]
  skills: readonly Skill[]
  drivers: readonly Driver[]
  detect: (driver: Driver, env: NodeJS.ProcessEnv) => Promise<Installed | null>
}

export interface Selection {
  /** Empty: all. */
  clis: readonly string[]
  scope: Owner['scope']
  project: string
  /** Into files that others get with the repository. */
  isShared: boolean
  dryRun: boolean
}

export interface Skipped {
  driver: string
  reason: string
}

export interface Report {
  files: Outcome[]
  skipped: Skipped[]
}

type Env = NodeJS.ProcessEnv

/** Puts what the installed CLIs read where they read it. */
export const setup = async (deployer: Deployer, selection: Selection, env: Env): Promise<Report> => {
  const found = await Promise.all(selected(deployer, selection).map((driver) => inspect(deployer, driver, env)))
  const skipped = found.flatMap((each) => ('reason' in each ? each : []))
  const [first] = skipped
  if (selection.clis.length > 0 && first !== undefined) throw new ReinError('driver_missing', first.reason)
  const usable = found.flatMap((each) => ('reason' in each ? [] : each))
  if (!selection.dryRun && usable.length > 0) await writePrograms(deployer)
  const { isShared, dryRun } = selection
  const changes = usable.map(({ driver, installed }) =>
    changeFor(deployer, driver, { ...ownerOf(driver.name, selection), cli: installed.version, isShared }, env),
  )
  const files = await deploy({ state: deployer.paths.state, dryRun }, () => changes.map(({ change }) => change))
  return {
    files: files.map((file) => withDoubt(file, deployer, env)),
    skipped: [...skipped, ...changes.flatMap(leftOut)],
  }
}

/** A file can be as it should be, and its CLI does not read it all the same. */
const withDoubt = (file: Outcome, { drivers }: Deployer, env: Env): Outcome => {
  if (!['created', 'changed', 'unchanged'].includes(file.what) || file.reason !== null) return file
  const readers = drivers.filter(({ name }) => file.drivers.includes(name))
  return { ...file, reason: readers.map((driver) => driver.ignores?.(file.path, env) ?? null).find(Boolean) ?? null }
}

const leftOut = ({ driver, context }: Planned): Skipped[] => {
  const command = driver.byHand?.(context) ?? null
  return command === null ? [] : [{ driver: driver.name, reason: `its MCP server, which you add yourself: ${command}` }]
}

/** Takes away what is registered for these CLIs, whether they are still installed or not. */
export const cleanup = async ({ paths, ...deployer }: Deployer, selection: Selection): Promise<Report> => {
  refuseUnknown(deployer.drivers, selection.clis)
  const isMeant = (one: Installation): boolean =>
    isOwner(one, ownerOf(one.driver, selection)) && (selection.clis.length === 0 || selection.clis.includes(one.driver))
  const decide = (register: Register): Change[] => {
    const meant = register.installations.filter(isMeant).map(justOwner)
    for (const owner of meant) adoptLeavings(register, owner, deployer.drivers)
    return meant.map((owner) => ({ owner, installation: null, deployments: [] }))
  }
  const files = await deploy({ state: paths.state, dryRun: selection.dryRun }, decide)
  if (!selection.dryRun && readRegister(paths.state).installations.length === 0) removePrograms(paths)
  return { files, skipped: [] }
}

/** What a CLI wrote because of a server that goes now counts as Rein's, and goes with it. */
const adoptLeavings = (register: Register, owner: Owner, drivers: readonly Driver[]): void => {
  const isServer = ({ owner: other, deployment }: OwnedPart): boolean =>
    isOwner(other, owner) && deployment.kind === 'json-key' && deployment.at.at(-1) === 'rein'
  if (!register.files.some(({ parts }) => parts.some(isServer))) return
  const driver = drivers.find(({ name }) => name === owner.driver)
  for (const deployment of driver?.leavings?.(owner.project) ?? []) {
    const target = realTarget(deployment.path)
    const nothing = { target, before: null, previous: null, after: null, made: [], parts: [] }
    const entry: FileEntry = register.files.find((file) => file.target === target) ?? nothing
    const made = deployment.kind === 'json-items' ? [[...deployment.at]] : []
    const adopted = { ...entry, made: [...entry.made, ...made], parts: [...entry.parts, { owner, deployment }] }
    register.files = [...register.files.filter((file) => file.target !== target), adopted]
  }
}

/** Makes what is registered again as this Rein wants it for the CLIs as they are now, whoever changed it; reports only what that changed. */
export const refresh = async (deployer: Deployer, env: Env): Promise<Report> => {
  const { installations, files } = readRegister(deployer.paths.state)
  if (installations.length === 0) return { files: [], skipped: [] }
  await writePrograms(deployer)
  const news = await Promise.all(installations.map((each) => newsFor(deployer, each, env)))
  const skipped = news.flatMap((each) => ('reason' in each ? each : []))
  const changes = news
    .flatMap((each) => ('reason' in each ? [] : each.change))
    .filter(({ owner, installation, deployments }) => {
      const earlier = installations.find((each) => isOwner(each, owner))
      return !isDeepStrictEqual(earlier, installation) || !isDeployed(files, owner, deployments)
    })
  const outcomes = await deploy({ state: deployer.paths.state, dryRun: false }, (register) =>
    stillWanted(register, changes),
  )
  return { files: outcomes.filter(({ what }) => what !== 'unchanged'), skipped }
}

/** What was cleaned up in the meantime stays away. */
const stillWanted = ({ installations }: Register, changes: Change[]): Change[] =>
  changes.filter(({ owner }) => installations.some((one) => isOwner(one, owner)))

const newsFor = async (deployer: Deployer, earlier: Installation, env: Env): Promise<Planned | Skipped> => {
  const driver = deployer.drivers.find(({ name }) => name === earlier.driver)
  if (driver === undefined)
    return { driver: earlier.driver, reason: `There is no driver "${earlier.driver}" any more.` }
  if (earlier.scope === 'project' && !existsSync(earlier.project))
    return { driver: driver.name, reason: `There is no directory ${earlier.project} any more.` }
  const found = await inspect(deployer, driver, env)
  if ('reason' in found) return found
  const then = Object.entries(earlier.env).map(([name, value]) => [name, value ?? undefined])
  const wanted = { ...justOwner(earlier), cli: found.installed.version, isShared: earlier.isShared }
  return changeFor(deployer, driver, wanted, { ...env, ...Object.fromEntries(then) })
}

/** Registered as it is wanted, and in files that nobody has touched since. */
const isDeployed = (files: Register['files'], owner: Owner, deployments: readonly Deployment[]): boolean => {
  const mine = files.filter(({ parts }) => parts.some((part) => isOwner(part.owner, owner)))
  const there = mine.flatMap(({ parts }) => parts.filter((part) => isOwner(part.owner, owner)))
  const isRegistered = isDeepStrictEqual(inOrder(there.map(({ deployment }) => deployment)), inOrder(deployments))
  return isRegistered && mine.every(({ target, after }) => hashOf(readIfThere(target)) === after)
}

const readIfThere = (file: string): Buffer | null => {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

const inOrder = (deployments: readonly Deployment[]): string[] =>
  deployments.map((one) => JSON.stringify(one)).toSorted()

const selected = ({ drivers }: Deployer, { clis }: Selection): readonly Driver[] => {
  refuseUnknown(drivers, clis)
  return clis.length === 0 ? drivers : drivers.filter(({ name }) => clis.includes(name))
}

const refuseUnknown = (drivers: readonly Driver[], clis: readonly string[]): void => {
  const names = drivers.map(({ name }) => name)
  const unknown = clis.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ReinError('unknown_driver', `There is no driver "${unknown}".`, `Known: ${names.join(', ')}.`)
}

type Usable = { driver: Driver; installed: Installed }

const inspect = async ({ detect }: Deployer, driver: Driver, env: Env): Promise<Usable | Skipped> => {
  const { name, title, minVersion } = driver
  const installed = await detect(driver, env)
  if (installed === null) return { driver: name, reason: `${title} is not installed, or does not say its version.` }
  if (isAtLeast(installed.version, minVersion)) return { driver, installed }
  return { driver: name, reason: `${title} ${installed.version} is too old: ${minVersion} is needed.` }
}

const ownerOf = (driver: string, { scope, project }: Selection): Owner => ({
  driver,
  scope,
  project: scope === 'project' ? project : '',
})

const justOwner = ({ driver, scope, project }: Owner): Owner => ({ driver, scope, project })

interface Planned {
  driver: Driver
  context: SetupContext
  change: Change
}

type Wanted = Owner & Pick<Installation, 'cli' | 'isShared'>

const changeFor = (deployer: Deployer, driver: Driver, wanted: Wanted, env: Env): Planned => {
  const watched = watchEnv(env)
  const owner = justOwner(wanted)
  const context: SetupContext = {
    version: wanted.cli,
    scope: owner.scope,
    project: owner.project,
    isShared: wanted.isShared,
    env: watched.env,
    programs: deployer.programs,
    ...programsIn(deployer.paths),
    mcp: deployer.mcp,
    skills: deployer.skills,
  }
  const deployments = driver.deployment(context)
  const installation = { ...wanted, rein: deployer.version, env: watched.used() }
  return { driver, context, change: { owner, installation, deployments } }
}
