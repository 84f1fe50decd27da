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

/** The new entries of one owner; none without an installation. */
export interface Change {
  owner: Owner
  installation: Installation | null
  deployments: readonly Deployment[]
}

interface DeployOptions {
  state: string
  dryRun: boolean
}

/** Decides under the lock what to change, and changes it. */
export const deploy = (
  { state, dryRun }: DeployOptions,
  decide: (register: Register) => Change[],
): Promise<Outcome[]> =>
  withLock(join(state, 'deployments.lock'), 'Another setup', async () => {
    const register = readRegister(state)
    const changes = decide(register)
    if (changes.length === 0) return []
    const { wanted, refused } = groupParts(register, changes)
    const outcomes: Outcome[] = []
    for (const [target, parts] of wanted) outcomes.push(await reconcile({ state, register, dryRun }, target, parts))
    if (!dryRun) await finishDeploy(state, register, changes)
    return [...outcomes, ...refused]
  })

interface Wanted {
  /** The parts of each touched file, those of other owners included. */
  wanted: Map<string, OwnedPart[]>
  refused: Outcome[]
}

const groupParts = (register: Register, changes: readonly Change[]): Wanted => {
  const wanted = new Map<string, OwnedPart[]>()
  const refused: Outcome[] = []
  const isChanged = ({ owner }: OwnedPart): boolean => changes.some((change) => isOwner(change.owner, owner))
  const othersIn = (target: string): OwnedPart[] =>
    (register.files.find((file) => file.target === target)?.parts ?? []).filter((part) => !isChanged(part))
  for (const { owner, deployments } of changes)
    for (const deployment of deployments) {
      const target = locateTarget(owner, deployment, refused)
      if (target !== null) wanted.set(target, [...(wanted.get(target) ?? othersIn(target)), { owner, deployment }])
    }
  for (const { target, parts } of register.files)
    if (!wanted.has(target) && parts.some(isChanged)) wanted.set(target, othersIn(target))
  return { wanted, refused }
}

const locateTarget = (owner: Owner, { path }: Deployment, refused: Outcome[]): string | null => {
  const { driver, scope, project } = owner
  try {
    const target = realTarget(path)
    // A repository could bring a link to anywhere.
    const isInProject = scope === 'project' && path.startsWith(`${project}${sep}`)
    if (isInProject && !target.startsWith(`${realpathSync(project)}${sep}`))
      throw new Refusal('It is a link out of the project.')
    return target
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    if (!refused.some((outcome) => outcome.path === path))
      refused.push({ path, drivers: [driver], what: 'refused', place: null, reason: cause.message, diff: '' })
    return null
  }
}

const finishDeploy = async (state: string, register: Register, changes: readonly Change[]): Promise<void> => {
  const isStill = (owner: Owner): boolean =>
    register.files.some(({ parts }) => parts.some((part) => isOwner(part.owner, owner)))
  for (const { owner, installation } of changes) {
    const earlier = register.installations.find((each) => isOwner(each, owner))
    const current = isStill(owner) ? (installation ?? earlier) : undefined
    const others = register.installations.filter((each) => !isOwner(each, owner))
    register.installations = current === undefined ? others : [...others, current]
  }
  // Directories that Rein made and no longer uses, unless someone else has put something into them.
  const isUsed = (dir: string): boolean => register.files.some(({ target }) => target.startsWith(dir + sep))
  for (const dir of register.directories.filter((one) => !isUsed(one)).toSorted((a, b) => b.length - a.length))
    try {
      if (existsSync(dir)) rmdirSync(dir)
    } catch {
      continue
    }
  register.directories = register.directories.filter(isUsed)
  await writeRegister(state, register).catch((cause: unknown) => {
    throw storageError(cause)
  })
}
