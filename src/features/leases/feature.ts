import { homedir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { byRein } from '../../contract/identity.ts'
import { type AnyNewRecord, newRecord } from '../../contract/record.ts'
import type { leaseRoutes } from '../../contract/routes/leases.ts'
import { findDriver } from '../../drivers/registry.ts'
import { redact } from '../../base/redact/redact.ts'
import { GitLook } from '../rules/git.ts'
import type { Feature } from '../feature.ts'
import { leaseHandlers } from './handlers.ts'
import type { AreApart } from './lease.ts'
import { LeaseEnds } from './lease-ends.ts'
import { Leases } from './leases.ts'
import { leaseTools } from './mcp-tools.ts'
import { LeaseResponder } from './responder.ts'

interface Needs {
  sessions: { isMoving(agent: string): boolean }
}

interface LeasesApi extends Pick<Leases, 'held' | 'releaseAll'> {
  /** The holder of a lease on a file, for rules that ask for it. */
  leaseOn: LeaseResponder['leaseOn']
}

/** As long as the rules have: the same hook waits for both. */
const judgedMs = 3600

export const leases: Feature<'leases', typeof leaseRoutes, Needs, LeasesApi> = {
  name: 'leases',
  create: (base, { supervisor, environment, finder }, others) => {
    const { append, reader, now, newId, lines } = base
    const onTrouble = base.troubleIn('leases')
    const git = new GitLook(now)
    const areApart: AreApart = (one, other) => git.rootBeside(one, path.join(other, 'any')) !== null
    const all = new Leases({ append, reader, now, steady: () => performance.now(), newId, areApart, onTrouble })
    const judge = new LeaseResponder({
      agent: (id) => supervisor.get(id),
      driver: findDriver,
      held: () => all.held(),
      readShell: (command, cwd, home) => lines.read(command, { cwd, home }),
      home: (id) => environment.of(id)['HOME'] ?? homedir(),
      rootBeside: (root, file) => git.rootBeside(root, file),
      record: ({ path: file, ...body }, { id, project }) => {
        const context = { id: newId('rec'), at: now(), actor: byRein, agent: id, project }
        const denied = newRecord('lease.denied', { ...body, path: redact(file).text }, context)
        void append([denied as AnyNewRecord]).catch(onTrouble)
      },
      now,
      deadlineMs: judgedMs,
    })
    const isMoving = (id: string): boolean => others.sessions.isMoving(id)
    const ends = new LeaseEnds({ leases: all, supervisor, isMoving, onTrouble })
    const handlers = leaseHandlers({ leases: all, supervisor, finder })
    return {
      handlers,
      responders: [judge.responder],
      watchers: [ends],
      mcpTools: leaseTools(handlers),
      start: () => {
        all.start()
        ends.start()
      },
      stop: () => {
        all.stop()
        ends.stop()
      },
      api: {
        held: () => all.held(),
        releaseAll: (...holder) => all.releaseAll(...holder),
        leaseOn: (...asked) => judge.leaseOn(...asked),
      },
    }
  },
}
