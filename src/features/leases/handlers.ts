import type { AgentFinder } from '../../agents/identity/finder.ts'
import { findTop } from '../../agents/projects/top.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import { ReinError } from '../../contract/errors.ts'
import type { Actor, AgentRef } from '../../contract/identity.ts'
import type { Here } from '../../contract/routes/fields.ts'
import type { leaseRoutes } from '../../contract/routes/leases.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import { redact } from '../../base/redact/redact.ts'
import { lookedUpFrom } from '../rules/world.ts'
import { leaseGlob, realGlob } from './glob.ts'
import type { Leases, Meant } from './leases.ts'
import { heldView, leaseView } from './view.ts'

interface Parts {
  leases: Leases
  supervisor: Supervisor
  finder: AgentFinder
}

interface Place {
  project: string
  root: string
  holder: AgentRef | null
}

export const leaseHandlers = ({ leases, supervisor, finder }: Parts): Handlers<typeof leaseRoutes> => {
  /** An agent means its own work tree, wherever its shell is; a person that of the directory. */
  const placeOf = async (actor: Actor, here: Here): Promise<Place> => {
    if (actor.kind !== 'agent' && actor.kind !== 'user')
      throw new ReinError('forbidden', 'Only agents and people hold leases.')
    const project = await finder.project(actor, here)
    const agent = actor.kind === 'agent' ? supervisor.get(actor.id) : null
    if (actor.kind === 'agent' && agent === null)
      throw new ReinError('unknown_agent', `${actor.handle} is no agent any more.`, 'See who is there: rein ps --all')
    const root = await findTop(agent?.cwd ?? (await finder.placed(here)).cwd)
    return { project, root, holder: agent === null ? null : { id: agent.id, project, handle: agent.handle } }
  }
  return {
    /** Waits for another holder, as long as the request allows and its client stays. */
    takeLease: async ({ actor, input: { glob, mode, ttlMs, why, waitMs, ...here }, signal }) => {
      const { project, root, holder } = await placeOf(actor, here)
      const about = why === undefined ? null : redact(why).text
      const wanted = { project, root, holder, glob: await globIn(root, glob), mode, why: about }
      const patience = AbortSignal.any([AbortSignal.timeout(waitMs), signal])
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
    },
    leases: async ({ actor, input: { glob, all, ...here } }) => {
      const { project, root } = await placeOf(actor, here)
      const on = glob === undefined ? undefined : { root, glob: await globIn(root, glob) }
      return leases.list(project, { on, isWithEnded: all }).map(leaseView)
    },
    renewLease: async ({ actor, input: { lease, ttlMs, ...here } }) => {
      const { root, holder } = await placeOf(actor, here)
      const renewed = await leases.renew(await findMeant(root, lease), holder?.id ?? null, ttlMs, actor)
      return renewed.map(heldView)
    },
    releaseLease: async ({ actor, input: { lease, ...here } }) => {
      const { root, holder } = await placeOf(actor, here)
      return (await leases.release(await findMeant(root, lease), holder?.id ?? null, actor)).map(leaseView)
    },
  }
}

const globIn = (root: string, given: string): Promise<string> =>
  realGlob(leaseGlob(given, root), root, lookedUpFrom(root, null).realPath)

const findMeant = async (root: string, given: string): Promise<Meant> => ({
  root,
  lease: given.startsWith('lease_') ? given : await globIn(root, given),
})
