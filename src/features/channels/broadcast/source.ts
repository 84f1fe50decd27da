import { topicBounds } from '../../../base/log/store.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { newestLine, nextLast, recordsOfTurn } from './store.ts'
import { gap, type Item, lateLine, turnLine } from './turn-line.ts'

interface SourcePorts {
  reader: Database
  /** The handle of an agent; null if the agent is unknown. */
  handle(agent: string): string | null
}

/** The turns on the log, as subscribers get them. */
export class TurnSource {
  readonly #ports: SourcePorts

  constructor(ports: SourcePorts) {
    this.#ports = ports
  }

  /** The newest position there is. */
  get last(): number {
    return topicBounds(this.#ports.reader, 'turns').last
  }

  /** Where the newest turn ended after a position; null if none did. */
  newest(after: number): number | null {
    return newestLine(this.#ports.reader, after)
  }

  /** The lines after a position, of one agent or of all; null if there are none yet. */
  next(after: number, agent: string | null): Item | null {
    const found = this.#read(after, agent)
    // Asked last: the log may be pruned while it is read.
    const { floor } = topicBounds(this.#ports.reader, 'turns')
    return after < floor ? gap(after, floor) : found
  }

  #read(after: number, agent: string | null): Item | null {
    const { reader } = this.#ports
    const last = nextLast(reader, after, agent)
    if (last === null) return null
    const id = last.agent ?? ''
    const handle = this.#ports.handle(id) ?? id
    return last.type === 'turn.entry' ? lateLine(last, handle) : turnLine(last, recordsOfTurn(reader, last), handle)
  }
}
