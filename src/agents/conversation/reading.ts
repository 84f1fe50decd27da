import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { Driver } from '../../drivers/contract.ts'
import type { ConversationGraph } from '../../drivers/conversation.ts'
import { ConversationReader } from './conversation-reader.ts'
import type { SupervisorPorts } from '../ports.ts'

const readAgainMs = 30_000

export interface ReadingParts {
  agent: () => Agent
  driver: () => Driver
  ports: Pick<SupervisorPorts, 'append' | 'cursor'>
  onEntry: (entry: ConversationEntry) => void
  /** Something was read, or all that there was. */
  onRead: () => void
}

/** The conversation that an agent has now, as far as it is written down; another one takes its place. */
export class Reading {
  readonly #parts: ReadingParts
  #reader: ConversationReader | null = null

  constructor(parts: ReadingParts) {
    this.#parts = parts
  }

  get graph(): ConversationGraph | null {
    return this.#reader?.graph ?? null
  }

  /** Reads what the agent is said to write by now, from its beginning. */
  begin(): void {
    this.close()
    const { ports, onEntry, onRead } = this.#parts
    const [agent, driver] = [this.#parts.agent(), this.#parts.driver()]
    const { conversation, transcript } = agent
    if (conversation === null || transcript === null) return
    // A database holds many conversations, a file one.
    const part = driver.transcript.format.kind === 'rows' ? `#${conversation}` : ''
    const topic = `file:${transcript}${part}`
    this.#reader = new ConversationReader(agent, conversation, transcript, driver, {
      cursor: ports.cursor(topic),
      onTurns: (records, position) =>
        void ports.append(records, [{ reader: 'turns', topic, position }]).catch(() => this.#again()),
      onEntry,
      onRead,
    })
    onRead()
  }

  look(): void {
    this.#reader?.look()
  }

  async settle(ms: number): Promise<void> {
    await this.#reader?.settle(ms)
  }

  async untilQuiet(quietMs: number, limitMs: number): Promise<void> {
    await this.#reader?.untilQuiet(quietMs, limitMs)
  }

  /** Whether a turn is not over that had begun by then. */
  hasTurnSince(at: number): boolean {
    const since = this.#reader?.turnOpenSince ?? null
    return since !== null && since <= at
  }

  endTurn(reason: string): void {
    this.#reader?.endTurn(reason)
  }

  /** Whether this tool call was made in this conversation; null where none is read. */
  async hasCalled(tool: string, waitMs: number): Promise<boolean | null> {
    const reader = this.#reader
    if (reader === null) return null
    if (waitMs > 0 && !reader.hasCalled(tool)) await reader.settle(waitMs)
    return reader.hasCalled(tool)
  }

  close(): void {
    this.#reader?.close()
    this.#reader = null
  }

  /** What could not be written is read again later, from where the log has come to. */
  #again(): void {
    setTimeout(() => {
      if (this.#reader !== null) this.begin()
    }, readAgainMs).unref()
  }
}
