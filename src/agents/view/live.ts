import type { AgentWatcher } from '../agent-events.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { LiveEvent, Viewers } from '../../contract/live.ts'
import type { AnyNewRecord } from '../../contract/record.ts'

/** What may wait for one reader: a few seconds of a quick model. */
const maxWaiting = 10_000

/** One who looks on. What it does not take in time is counted, and left out. */
class Reader {
  #waiting: LiveEvent[] = []
  #missed = 0
  #wake: () => void = () => undefined

  push(event: LiveEvent): void {
    if (this.#waiting.length < maxWaiting) this.#waiting.push(event)
    else this.#missed += 1
    this.#wake()
  }

  take(): LiveEvent[] {
    const gap: LiveEvent[] = this.#missed === 0 ? [] : [{ kind: 'gap', missed: this.#missed }]
    const taken = [...this.#waiting, ...gap]
    this.#waiting = []
    this.#missed = 0
    return taken
  }

  /** It is to look up, although there may be nothing to take. */
  wake(): void {
    this.#wake()
  }

  /** Resolves when there is something to take, or it is woken. */
  async next(): Promise<void> {
    if (this.#waiting.length > 0) return
    await new Promise<void>((resolve) => (this.#wake = resolve))
  }
}

/** Lets people look at agents as they work. */
export class LiveViews implements AgentWatcher, Viewers {
  readonly #readers = new Map<string, Set<Reader>>()
  /** Whether an agent is stopped only to be started again. */
  readonly #comesBack: (id: string) => boolean

  constructor(comesBack: (id: string) => boolean = () => false) {
    this.#comesBack = comesBack
  }

  /** Its state, and everything from now on. */
  async *follow(agent: Agent, signal: AbortSignal): AsyncGenerator<LiveEvent> {
    const reader = new Reader()
    const wake = (): void => reader.wake()
    this.#join(agent.id, reader)
    signal.addEventListener('abort', wake, { once: true })
    try {
      yield this.#stateOf(agent)
      while (!signal.aborted) {
        await reader.next()
        yield* reader.take()
      }
    } finally {
      signal.removeEventListener('abort', wake)
      this.#leave(agent.id, reader)
    }
  }

  onChange(agent: Agent, before: Agent | null, record: AnyNewRecord): void {
    const isNews = record.type === 'agent.state' || agent.state !== before?.state
    if (isNews) this.tell(agent.id, this.#stateOf(agent))
  }

  /** Nobody starts it again any more: now it is known whether it is gone. */
  settle(agent: Agent | null): void {
    if (agent !== null && !isAlive(agent.state)) this.tell(agent.id, this.#stateOf(agent))
  }

  isWatched(id: string): boolean {
    return this.#readers.has(id)
  }

  tell(id: string, event: LiveEvent): void {
    for (const reader of this.#readers.get(id) ?? []) reader.push(event)
  }

  #stateOf(agent: Agent): LiveEvent {
    if (isAlive(agent.state) || !this.#comesBack(agent.id)) return stateOf(agent)
    return { kind: 'state', state: 'starting', question: null, reason: 'it is started again' }
  }

  #join(id: string, reader: Reader): void {
    this.#readers.set(id, (this.#readers.get(id) ?? new Set()).add(reader))
  }

  #leave(id: string, reader: Reader): void {
    const readers = this.#readers.get(id)
    readers?.delete(reader)
    if (readers?.size === 0) this.#readers.delete(id)
  }
}

const stateOf = ({ state, question, evidence, pauseReason }: Agent): LiveEvent => {
  const isHeldUp = state === 'paused' && pauseReason !== null
  const told: LiveEvent = { kind: 'state', state, question, reason: evidence?.detail ?? '' }
  return isHeldUp ? { ...told, reason: pauseReason, isHeldUp } : told
}
