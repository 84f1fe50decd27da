import { homedir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Supervisor } from '../agents/supervisor.ts'
import type { Agent } from '../contract/agent.ts'
import type { Responder } from '../contract/hooks.ts'
import { type AnyNewRecord, newRecord } from '../contract/record.ts'
import { findDriver } from '../drivers/registry.ts'
import { redact } from '../redact/redact.ts'
import { GitLook } from '../rules/git.ts'
import type { WorldPorts } from '../rules/world.ts'
import { readShell } from '../shell/read.ts'
import type { AreApart } from '../team/leases/lease.ts'
import { Leases } from '../team/leases/leases.ts'
import { LeaseResponder } from '../team/leases/responder.ts'
import { after } from '../util/timer.ts'
import type { AgentWatcher } from './agent-watcher.ts'
import type { ServiceParts } from './services.ts'

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
  const { append, reader, now, newId, journal, supervisor, environment } = parts
  const onTrouble = (cause: unknown): void => journal.write('trouble', { where: 'leases', reason: String(cause) })
  const git = new GitLook(now)
  const areApart: AreApart = (one, other) => git.rootBeside(one, path.join(other, 'any')) !== null
  const leases = new Leases({ append, reader, now, steady: () => performance.now(), newId, areApart, onTrouble })
  const responder = new LeaseResponder({
    agent: (id) => supervisor.get(id),
    driver: findDriver,
    held: () => leases.held(),
    readShell: (command, cwd, home) => readShell(command, { cwd, home }),
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

/** A restart and a change of conversation stop an agent, too, for so long at most. */
const graceMs = 10_000

/** An agent that was stopped holds nothing any more; one that crashed may come back, and keeps what it holds until its end. */
export class LeaseEnds implements AgentWatcher {
  readonly #parts: EndParts
  readonly #timers = new Map<string, () => void>()
  #isOn = false

  constructor(parts: EndParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isOn = true
    for (const { holder } of this.#parts.leases.held()) if (holder !== null) this.#look(holder.id)
  }

  stop(): void {
    this.#isOn = false
    for (const cancel of this.#timers.values()) cancel()
  }

  onChange({ id }: Agent, _: Agent | null, { type }: AnyNewRecord): void {
    if (type === 'agent.state' || type === 'agent.launched') this.#look(id)
  }

  #look(id: string): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
    if (this.#isOn && this.#isStopped(id))
      this.#timers.set(
        id,
        after(graceMs, () => this.#end(id)),
      )
  }

  #end(id: string): void {
    if (this.#parts.isMoving(id) || !this.#isStopped(id)) return this.#look(id)
    this.#timers.delete(id)
    this.#parts.leases.releaseAll(id, { kind: 'daemon' }).catch(this.#parts.onTrouble)
  }

  #isStopped(id: string): boolean {
    return this.#parts.supervisor.get(id)?.state === 'stopped'
  }
}
