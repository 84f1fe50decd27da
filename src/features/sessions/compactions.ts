import type { AgentWatcher } from '../../agents/agent-events.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'

/** Who waits for a conversation to be summed up. */
export class Compactions implements AgentWatcher {
  readonly #waiting = new Map<string, (isDone: boolean) => void>()

  onEntry(agent: Agent, { kind }: ConversationEntry): void {
    if (kind === 'compaction') this.#waiting.get(agent.id)?.(true)
  }

  onChange({ id, state }: Agent): void {
    if (!isAlive(state)) this.#waiting.get(id)?.(false)
  }

  /** Resolves at the next one; false if it does not come in time, or the agent ends. */
  next(agent: string, ms: number): Promise<boolean> {
    this.#waiting.get(agent)?.(false)
    return new Promise((resolve) => {
      const end = (isDone: boolean): void => {
        clearTimeout(timer)
        this.#waiting.delete(agent)
        resolve(isDone)
      }
      const timer = setTimeout(() => end(false), ms)
      this.#waiting.set(agent, end)
    })
  }
}
