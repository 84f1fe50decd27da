import { existsSync, readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { ReinError } from '../../contract/errors.ts'
import { hintNearest } from '../../base/util/nearest.ts'
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

/** The deployments of this version, and their drivers. */
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
  /** Whether `rein` leads to this Rein. */
  isOnPath: boolean
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

/** Deploys hooks, servers, skills and instructions to where the installed CLIs read them. */
export const setup = async (deployer: Deployer, selection: Selection, env: Env): Promise<Report> => {
  const { clis, isShared, isOnPath, dryRun } = selection
  refuseUnknown(deployer.drivers, clis)
  const selected = deployer.drivers.filter(({ name }) => clis.length === 0 || clis.includes(name))
  const found = await Promise.all(selected.map((driver) => inspect(deployer, driver, env)))
  const skipped = found.flatMap((each) => ('reason' in each ? each : []))
  const [first] = skipped
  if (clis.length > 0 && first !== undefined) throw new ReinError('driver_missing', first.reason)
  const usable = found.flatMap((each) => ('reason' in each ? [] : each))
  if (!dryRun && usable.length > 0) await writePrograms(deployer)
  const changes = usable.map(({ driver, installed }) =>
    planChange(
      deployer,
      driver,
      { ...ownerOf(driver.name, selection), cli: installed.version, isShared, isOnPath },
      env,
    ),
  )
  const files = await deploy({ state: deployer.paths.state, dryRun }, () => changes.map(({ change }) => change))
  for (const { driver, context } of changes) {
    // It is for all of the user's directories, so no PATH of one of them decides what runs.
    const command = driver.byHand?.({ ...context, mcp: deployer.mcp }) ?? null
    if (command !== null)
      skipped.push({ driver: driver.name, reason: `its MCP server, which you add yourself: ${command}` })
  }
  return {
    files: files.map((file) => {
      if (!['created', 'changed', 'unchanged'].includes(file.what) || file.reason !== null) return file
      // The file is as it should be, but its CLI may ignore it.
      const readers = deployer.drivers.filter(({ name }) => file.drivers.includes(name))
      const reasons = readers.map((driver) => driver.ignores?.(file.path, env) ?? null)
      return { ...file, reason: reasons.find(Boolean) ?? null }
    }),
    skipped,
  }
}

/** Removes what is registered for these CLIs, whether they are still installed or not. */
export const cleanup = async (
  { paths, ...deployer }: Deployer,
  selection: Selection,
  { everywhere = false } = {},
): Promise<Report> => {
  refuseUnknown(deployer.drivers, selection.clis)
  const isMeant = (one: Installation): boolean =>
    (everywhere || isOwner(one, ownerOf(one.driver, selection))) &&
    (selection.clis.length === 0 || selection.clis.includes(one.driver))
  const decide = (register: Register): Change[] => {
    const meant = register.installations.filter(isMeant).map(justOwner)
    for (const owner of meant) adoptLeftovers(register, owner, deployer.drivers)
    return meant.map((owner) => ({ owner, installation: null, deployments: [] }))
  }
  const files = await deploy({ state: paths.state, dryRun: selection.dryRun }, decide)
  if (!selection.dryRun && readRegister(paths.state).installations.length === 0) removePrograms(paths)
  return { files, skipped: [] }
}

/** Files that a CLI wrote because of Rein's MCP server count as Rein's, and go with it. */
const adoptLeftovers = (register: Register, owner: Owner, drivers: readonly Driver[]): void => {
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

/** Deploys everything registered again, for this Rein and the CLIs as they are now; reports only changes. */
export const refresh = async (deployer: Deployer, env: Env): Promise<Report> => {
  const { installations, files } = readRegister(deployer.paths.state)
  if (installations.length === 0) return { files: [], skipped: [] }
  await writePrograms(deployer)
  const news = await Promise.all(installations.map((each) => planRefresh(deployer, each, env)))
  const skipped = news.flatMap((each) => ('reason' in each ? each : []))
  const changes = news
    .flatMap((each) => ('reason' in each ? [] : each.change))
    .filter(({ owner, installation, deployments }) => {
      const earlier = installations.find((each) => isOwner(each, owner))
      return !isDeepStrictEqual(earlier, installation) || !isDeployed(files, owner, deployments)
    })
  // An installation that was cleaned up in the meantime stays away.
  const outcomes = await deploy({ state: deployer.paths.state, dryRun: false }, (register) =>
    changes.filter(({ owner }) => register.installations.some((one) => isOwner(one, owner))),
  )
  return { files: outcomes.filter(({ what }) => what !== 'unchanged'), skipped }
}

const planRefresh = async (deployer: Deployer, earlier: Installation, env: Env): Promise<Planned | Skipped> => {
  const driver = deployer.drivers.find(({ name }) => name === earlier.driver)
  if (driver === undefined)
    return { driver: earlier.driver, reason: `There is no driver "${earlier.driver}" any more.` }
  if (earlier.scope === 'project' && !existsSync(earlier.project))
    return { driver: driver.name, reason: `There is no directory ${earlier.project} any more.` }
  const found = await inspect(deployer, driver, env)
  if ('reason' in found) return found
  const then = Object.entries(earlier.env).map(([name, value]) => [name, value ?? undefined])
  const { isShared, isOnPath } = earlier
  const wanted = { ...justOwner(earlier), cli: found.installed.version, isShared, isOnPath }
  return planChange(deployer, driver, wanted, { ...env, ...Object.fromEntries(then) })
}

/** Whether everything is registered as wanted, in files that are untouched since. */
const isDeployed = (files: Register['files'], owner: Owner, deployments: readonly Deployment[]): boolean => {
  const mine = files.filter(({ parts }) => parts.some((part) => isOwner(part.owner, owner)))
  const there = mine.flatMap(({ parts }) => parts.filter((part) => isOwner(part.owner, owner)))
  const isRegistered = isDeepStrictEqual(inOrder(there.map(({ deployment }) => deployment)), inOrder(deployments))
  return isRegistered && mine.every(({ target, after }) => hashFile(target) === after)
}

const hashFile = (file: string): string | null => {
  try {
    return hashOf(readFileSync(file))
  } catch {
    return null
  }
}

const inOrder = (deployments: readonly Deployment[]): string[] =>
  deployments.map((one) => JSON.stringify(one)).toSorted()

const refuseUnknown = (drivers: readonly Driver[], clis: readonly string[]): void => {
  const names = drivers.map(({ name }) => name)
  const unknown = clis.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new ReinError(
      'unknown_driver',
      `There is no driver "${unknown}".`,
      hintNearest(unknown, names, `There are: ${names.join(', ')}.`),
    )
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

type Wanted = Owner & Pick<Installation, 'cli' | 'isShared' | 'isOnPath'>

/** For a file that others get with the repository: the place of Rein differs between them. */
const portableMcp = ['rein', 'mcp']

const planChange = (deployer: Deployer, driver: Driver, wanted: Wanted, env: Env): Planned => {
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
    mcp: owner.scope === 'project' && (wanted.isShared || wanted.isOnPath) ? portableMcp : deployer.mcp,
    skills: deployer.skills,
  }
  const deployments = driver.deployment(context)
  const installation = { ...wanted, rein: deployer.version, env: watched.used() }
  return { driver, context, change: { owner, installation, deployments } }
}
