import { existsSync, realpathSync, rmdirSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Deployment } from '../../drivers/contract.ts'
import { storageError } from '../../base/store/failure.ts'
import { withLock } from '../../base/store/lock.ts'
import { type Outcome, reconcile } from './reconcile.ts'
import { Refusal } from './refusal.ts'
import {
  type Installation,
  isOwner,
  type OwnedPart,
  type Owner,
  readRegister,
  type Register,
  writeRegister,
} from './register.ts'
import { realTarget } from './target.ts'

/** What one owner is to have from now on; without an installation it is to have nothing. */
export interface Change {
  owner: Owner
  installation: Installation | null
  deployments: readonly Deployment[]
}

export interface DeployOptions {
  state: string
  dryRun: boolean
}

/** Decides under the lock what is to change, and changes it. */
export const deploy = (
  { state, dryRun }: DeployOptions,
  decide: (register: Register) => Change[],
): Promise<Outcome[]> =>
  withLock(join(state, 'deployments.lock'), 'Another setup', async () => {
    const register = readRegister(state)
    const changes = decide(register)
    if (changes.length === 0) return []
    const { wanted, refused } = partsByTarget(register, changes)
    const outcomes: Outcome[] = []
    for (const [target, parts] of wanted) outcomes.push(await reconcile({ state, register, dryRun }, target, parts))
    if (!dryRun) await finish(state, register, changes)
    return [...outcomes, ...refused]
  })

interface Wanted {
  /** What each file that is touched is to hold, the parts of other owners included. */
  wanted: Map<string, OwnedPart[]>
  refused: Outcome[]
}

const partsByTarget = (register: Register, changes: readonly Change[]): Wanted => {
  const wanted = new Map<string, OwnedPart[]>()
  const refused: Outcome[] = []
  const isChanged = ({ owner }: OwnedPart): boolean => changes.some((change) => isOwner(change.owner, owner))
  const othersIn = (target: string): OwnedPart[] =>
    (register.files.find((file) => file.target === target)?.parts ?? []).filter((part) => !isChanged(part))
  for (const { owner, deployments } of changes)
    for (const deployment of deployments) {
      const target = locate(owner, deployment, refused)
      if (target !== null) wanted.set(target, [...(wanted.get(target) ?? othersIn(target)), { owner, deployment }])
    }
  for (const { target, parts } of register.files)
    if (!wanted.has(target) && parts.some(isChanged)) wanted.set(target, othersIn(target))
  return { wanted, refused }
}

const locate = (owner: Owner, { path }: Deployment, refused: Outcome[]): string | null => {
  try {
    const target = realTarget(path)
    if (leaves(path, target, owner)) throw new Refusal('It is a link out of the project.')
    return target
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    if (!refused.some((outcome) => outcome.path === path))
      refused.push({ path, drivers: [owner.driver], what: 'refused', place: null, reason: cause.message, diff: '' })
    return null
  }
}

/** A repository could bring a link to anywhere. */
const leaves = (path: string, target: string, { scope, project }: Owner): boolean =>
  scope === 'project' && path.startsWith(`${project}${sep}`) && !target.startsWith(`${realpathSync(project)}${sep}`)

const finish = async (state: string, register: Register, changes: readonly Change[]): Promise<void> => {
  const isStill = (owner: Owner): boolean =>
    register.files.some(({ parts }) => parts.some((part) => isOwner(part.owner, owner)))
  for (const { owner, installation } of changes) {
    const earlier = register.installations.find((each) => isOwner(each, owner))
    const current = isStill(owner) ? (installation ?? earlier) : undefined
    const others = register.installations.filter((each) => !isOwner(each, owner))
    register.installations = current === undefined ? others : [...others, current]
  }
  removeEmptyDirectories(register)
  await writeRegister(state, register).catch((cause: unknown) => {
    throw storageError(cause)
  })
}

/** Directories that Rein made and nobody uses; what somebody else put something into is no longer Rein's. */
const removeEmptyDirectories = (register: Register): void => {
  const isUsed = (dir: string): boolean => register.files.some(({ target }) => target.startsWith(dir + sep))
  for (const dir of register.directories.toSorted((a, b) => b.length - a.length)) {
    if (isUsed(dir)) continue
    register.directories = register.directories.filter((each) => each !== dir)
    removeIfEmpty(dir)
  }
}

const removeIfEmpty = (dir: string): void => {
  try {
    if (existsSync(dir)) rmdirSync(dir)
  } catch {
    return
  }
}
