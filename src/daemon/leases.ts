import { homedir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Supervisor } from '../agents/supervisor.ts'
import type { Responder } from '../contract/hooks.ts'
import { type AnyNewRecord, newRecord } from '../contract/record.ts'
import { findDriver } from '../drivers/registry.ts'
import { redact } from '../base/redact/redact.ts'
import { GitLook } from '../features/rules/git.ts'
import type { WorldPorts } from '../features/rules/world.ts'
import type { AreApart } from '../features/leases/lease.ts'
import { Leases } from '../features/leases/leases.ts'
import { LeaseResponder } from '../features/leases/responder.ts'
import type { AgentWatcher } from './agent-watcher.ts'
import type { ServiceParts } from './services.ts'
import { StoppedForGood } from './stopped-agents.ts'

interface LeaseParts extends ServiceParts {
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
  /** It is stopped only to go on elsewhere. */
  isMoving: (agent: string) => boolean
}

export interface LeaseServices {
  leases: Leases
  leaseEnds: LeaseEnds
  leaseResponder: Responder
  /** For rules that ask for it. */
  leaseOn: WorldPorts['lease']
}

/** As long as the rules have: the same hook waits for both. */
const judgedMs = 3600

export const composeLeases = (parts: LeaseParts): LeaseServices => {
  const { append, reader, now, newId, journal, supervisor, environment, lines } = parts
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'leases', reason: String(cause) })
  const git = new GitLook(now)
  const areApart: AreApart = (one, other) => git.rootBeside(one, path.join(other, 'any')) !== null
  const leases = new Leases({ append, reader, now, steady: () => performance.now(), newId, areApart, onTrouble })
  const responder = new LeaseResponder({
    agent: (id) => supervisor.get(id),
    driver: findDriver,
    held: () => leases.held(),
    readShell: (command, cwd, home) => lines.read(command, { cwd, home }),
    home: (id) => environment.of(id)['HOME'] ?? homedir(),
    rootBeside: (root, file) => git.rootBeside(root, file),
    record: ({ path: file, ...body }, { id, project }) => {
      const context = { id: newId('rec'), at: now(), actor: { kind: 'daemon' as const }, agent: id, project }
      const denied = newRecord('lease.denied', { ...body, path: redact(file).text }, context)
      void append([denied as AnyNewRecord]).catch(onTrouble)
    },
    now,
    deadlineMs: judgedMs,
  })
  return {
    leases,
    leaseEnds: new LeaseEnds({ leases, supervisor, isMoving: parts.isMoving, onTrouble }),
    leaseResponder: responder.responder,
    leaseOn: (agent, file, places) => responder.leaseOn(agent, file, places),
  }
}

interface EndParts extends Pick<LeaseParts, 'supervisor' | 'isMoving'> {
  leases: Leases
  onTrouble: (cause: unknown) => void
}

/** An agent that was stopped holds nothing any more; one that crashed may come back, and keeps what it holds until its end. */
export class LeaseEnds implements AgentWatcher {
  readonly #leases: Leases
  readonly #stopped: StoppedForGood

  constructor({ leases, supervisor, isMoving, onTrouble }: EndParts) {
    this.#leases = leases
    this.#stopped = new StoppedForGood({
      lossOf: (id) => (supervisor.get(id)?.state === 'stopped' ? 'soon' : null),
      isMoving,
      onGone: (id) => leases.releaseAll(id, { kind: 'daemon' }),
      onTrouble,
    })
  }

  start(): void {
    this.#stopped.start(this.#leases.held().flatMap(({ holder }) => holder?.id ?? []))
  }

  stop(): void {
    this.#stopped.stop()
  }

  onChange(...news: Parameters<StoppedForGood['onChange']>): void {
    this.#stopped.onChange(...news)
  }
}
