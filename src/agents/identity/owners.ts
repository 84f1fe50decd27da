import { type Agent, isAlive } from '../../contract/agent.ts'

type Owned = Pick<Agent, 'id' | 'state' | 'request'>

/** Why nobody gets any more what was told to a run. */
export const runEnded = 'run_ended'

/** A run whose agent is gone: the next one under its handle is another. */
export const isEndedRun = ({ state, request }: Pick<Owned, 'state' | 'request'>): boolean =>
  request?.isOwned === true && !isAlive(state)

/** As long may a run be away that has just started its agent, or looks for the next daemon. */
const awayMs = 10_000

/** Who runs which agents: one that was started to be owned is not left running without its owner. */
export class Owners {
  /** How many owners look at an agent. */
  readonly #present = new Map<string, number>()
  /** Since when an agent has had none. */
  readonly #alone = new Map<string, number>()

  isPresent(id: string): boolean {
    return this.#present.has(id)
  }

  join(id: string): void {
    this.#present.set(id, (this.#present.get(id) ?? 0) + 1)
  }

  leave(id: string): void {
    const left = (this.#present.get(id) ?? 1) - 1
    if (left === 0) this.#present.delete(id)
    else this.#present.set(id, left)
  }

  /** Those that have been alone for too long; asked for again, they have been so for no time yet. */
  abandoned<T extends Owned>(agents: readonly T[], now: number): T[] {
    return agents.filter((agent) => {
      const since = this.#alone.get(agent.id) ?? now
      const isLong = now - since >= awayMs
      if (isLong || !this.#isAlone(agent)) this.#alone.delete(agent.id)
      else this.#alone.set(agent.id, since)
      return isLong && this.#isAlone(agent)
    })
  }

  /** Nobody can look at one that is still starting. */
  #isAlone({ id, state, request }: Owned): boolean {
    return request?.isOwned === true && isAlive(state) && state !== 'starting' && !this.isPresent(id)
  }
}
