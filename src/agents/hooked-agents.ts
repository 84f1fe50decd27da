import type { Capability } from '../drivers/contract.ts'
import type { Supervisor } from './supervisor.ts'

/** How long a hook may wait for a transcript that is just being written. */
export const hookWaitMs = 80

/** The capability of a CLI that each point needs. */
const needed = { prompt: 'onPrompt', batch: 'afterTool', stop: 'onStop' } as const satisfies Record<string, Capability>

/** What responders need to know of the agent whose hook they answer. */
export class HookedAgents {
  readonly #supervisor: Supervisor

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor
  }

  /** How often in a row the agent was kept from stopping. */
  stopBlocks(id: string): number {
    return this.#supervisor.get(id)?.stopBlocks ?? 0
  }

  /** Returns how to undo that: it was not kept from it. */
  noteStopBlock(id: string): () => void {
    const { current } = this.#supervisor.agent(id)
    const before = current.agent.stopBlocks
    const count = before + 1
    current.note('agent.stop_blocked', { count })
    return () => {
      if (current.agent.stopBlocks === count) current.note('agent.stop_blocked', { count: before })
    }
  }

  /** The agent stops: the next time is the first again. */
  clearStopBlocks(id: string): void {
    this.#supervisor.agent(id).current.note('agent.stop_blocked', { count: 0 })
  }

  /** Whether text that is given at this point reaches the model. A paused agent is not kept from stopping. */
  takesAt(id: string, point: keyof typeof needed): boolean {
    const one = this.#supervisor.find(id)
    if (one === null) return true
    return !(point === 'stop' && one.agent.isPaused) && one.capabilities[needed[point]]
  }

  /** Whether the CLI writes the context that it is given into its transcript. */
  writesContext(id: string): boolean {
    return this.#supervisor.find(id)?.capabilities.writesContext ?? true
  }

  /** Reads the conversation as far as it is written, within the time that a hook may wait. */
  async catchUp(id: string): Promise<void> {
    await this.#supervisor.find(id)?.conversation.catchUp(hookWaitMs)
  }
}
