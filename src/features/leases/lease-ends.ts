import { byRein } from '../../contract/identity.ts'
import type { AgentWatcher } from '../../agents/agent-events.ts'
import { StoppedForGood } from '../../agents/state/stopped-agents.ts'
import type { Supervisor } from '../../agents/supervisor.ts'
import type { Leases } from './leases.ts'

interface Parts {
  leases: Pick<Leases, 'held' | 'releaseAll'>
  supervisor: Pick<Supervisor, 'get'>
  /** It is stopped only to go on elsewhere. */
  isMoving: (agent: string) => boolean
  onTrouble: (cause: unknown) => void
}

/** An agent that was stopped holds nothing any more; one that crashed may come back, and keeps what it holds until its end. */
export class LeaseEnds implements AgentWatcher {
  readonly #leases: Parts['leases']
  readonly #stopped: StoppedForGood

  constructor({ leases, supervisor, isMoving, onTrouble }: Parts) {
    this.#leases = leases
    this.#stopped = new StoppedForGood({
      lossOf: (id) => (supervisor.get(id)?.state === 'stopped' ? 'soon' : null),
      isMoving,
      onGone: (id) => leases.releaseAll(id, byRein),
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
