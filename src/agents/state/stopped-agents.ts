import type { Agent } from '../../contract/agent.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { after } from '../../base/util/timer.ts'
import type { AgentWatcher } from '../agent-events.ts'

interface StoppedParts {
  /** Whether it is gone, as far as that matters here. `soon`: it may be starting again just now. */
  lossOf: (agent: string) => 'now' | 'soon' | null
  /** It is stopped only to go on elsewhere. */
  isMoving: (agent: string) => boolean
  onGone: (agent: string) => Promise<unknown>
  onTrouble: (cause: unknown) => void
}

/** A restart and a change of conversation stop an agent, too, for so long at most. */
const graceMs = 10_000

/** Tells an agent that is gone from one that is only being started again. */
export class StoppedForGood implements AgentWatcher {
  readonly #parts: StoppedParts
  readonly #timers = new Map<string, () => void>()
  #isOpen = false

  constructor(parts: StoppedParts) {
    this.#parts = parts
  }

  /** What became of these while nobody watched is looked at, too. */
  start(agents: Iterable<string>): void {
    this.#isOpen = true
    for (const id of agents) this.#look(id)
  }

  stop(): void {
    this.#isOpen = false
    for (const cancel of this.#timers.values()) cancel()
  }

  onChange({ id }: Agent, _: Agent | null, { type }: AnyNewRecord): void {
    if (type === 'agent.state' || type === 'agent.launched') this.#look(id)
  }

  #look(id: string, hasWaited = false): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
    const { lossOf, isMoving, onGone, onTrouble } = this.#parts
    const loss = this.#isOpen ? lossOf(id) : null
    if (loss === null) return
    if (loss === 'now' || (hasWaited && !isMoving(id))) return void onGone(id).catch(onTrouble)
    this.#timers.set(
      id,
      after(graceMs, () => this.#look(id, true)),
    )
  }
}
