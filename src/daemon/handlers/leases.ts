import { realpath } from 'node:fs/promises'
import type { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import type { Lease } from '../../contract/lease.ts'
import type {
  LeaseView,
  ListLeasesInput,
  ReleaseLeaseInput,
  RenewLeaseInput,
  TakeLeaseInput,
} from '../../contract/routes/leases.ts'
import { redact } from '../../base/redact/redact.ts'
import { lookedUpFrom } from '../../features/rules/world.ts'
import { leaseGlob, realGlob } from '../../features/leases/glob.ts'
import type { Meant } from '../../features/leases/leases.ts'
import type { KeptLease } from '../../features/leases/store.ts'
import { workTree } from '../../base/util/work-tree.ts'
import type { Services } from '../services.ts'
import { projectFor } from './rooms.ts'

type Given<T extends z.ZodType> = z.infer<T>

/** Waits for what somebody else holds, for as long as is wanted and somebody still asks. */
export const take = async (
  services: Services,
  actor: Actor,
  { cwd, glob, mode, ttlMs, why, waitMs }: Given<typeof TakeLeaseInput>,
  asked?: AbortSignal,
): Promise<LeaseView> => {
  const { leases } = services
  const { project, root, holder } = await placeOf(services, actor, cwd)
  const about = why === undefined ? null : redact(why).text
  const wanted = { project, root, holder, glob: await globOf(glob, root), mode, why: about }
  const patience = AbortSignal.any([AbortSignal.timeout(waitMs), ...(asked === undefined ? [] : [asked])])
  for (;;) {
    const change = leases.nextChange(patience)
    try {
      return heldView(await leases.take(wanted, ttlMs, actor))
    } catch (cause) {
      if (!(cause instanceof ReinError) || cause.code !== 'lease_held' || waitMs === 0) throw cause
      await change
      if (patience.aborted) throw cause
    }
  }
}

export const renew = async (
  services: Services,
  actor: Actor,
  { cwd, lease, ttlMs }: Given<typeof RenewLeaseInput>,
): Promise<LeaseView[]> => {
  const { root, holder } = await placeOf(services, actor, cwd)
  const renewed = await services.leases.renew(await meant(lease, root), holder?.id ?? null, ttlMs, actor)
  return renewed.map(heldView)
}

export const release = async (
  services: Services,
  actor: Actor,
  { cwd, lease }: Given<typeof ReleaseLeaseInput>,
): Promise<LeaseView[]> => {
  const { root, holder } = await placeOf(services, actor, cwd)
  return (await services.leases.release(await meant(lease, root), holder?.id ?? null, actor)).map(leaseView)
}

export const list = async (
  services: Services,
  actor: Actor,
  { cwd, glob, all }: Given<typeof ListLeasesInput>,
): Promise<LeaseView[]> => {
  const { project, root } = await placeOf(services, actor, cwd)
  const on = glob === undefined ? undefined : { root, glob: await globOf(glob, root) }
  return services.leases.list(project, { on, isWithEnded: all }).map(leaseView)
}

const leaseId = /^lease_/

const meant = async (given: string, root: string): Promise<Meant> => ({
  root,
  lease: leaseId.test(given) ? given : await globOf(given, root),
})

const globOf = (given: string, root: string): Promise<string> =>
  realGlob(leaseGlob(given, root), root, lookedUpFrom(root, null).realPath)

interface Asking {
  project: string
  root: string
  holder: AgentRef | null
}

/** An agent means its own work tree, wherever its shell is; a person that of the directory. */
const placeOf = async (services: Services, actor: Actor, cwd: string): Promise<Asking> => {
  if (actor.kind !== 'agent' && actor.kind !== 'user')
    throw new ReinError('forbidden', 'Only agents and people hold leases.')
  const project = await projectFor(services, actor, cwd)
  const agent = actor.kind === 'agent' ? services.supervisor.get(actor.id) : null
  if (actor.kind === 'agent' && agent === null)
    throw new ReinError('unknown_agent', `${actor.handle} is no agent any more.`, 'See who is there: rein ps --all')
  const root = await topOf(agent?.cwd ?? cwd)
  return { project, root, holder: agent === null ? null : { id: agent.id, project, handle: agent.handle } }
}

/** The top of the work tree that a directory is in; the directory itself where there is no repository. */
export const topOf = async (cwd: string): Promise<string> => {
  const real = await realpath(cwd).catch(() => {
    throw new ReinError('not_found', `There is no directory ${cwd}.`)
  })
  return workTree(real)?.root ?? real
}

export const heldView = (lease: Lease): LeaseView => leaseView({ lease, setAt: lease.at, ended: null })

const leaseView = ({ lease, ended }: KeptLease): LeaseView => ({
  ...lease,
  holder: lease.holder?.handle ?? null,
  ended: ended?.why ?? null,
  endedAt: ended?.at ?? null,
})
