import type { Agent } from '../contract/agent.ts'
import type { ConversationEntry } from '../contract/conversation.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import type { Driver } from '../drivers/contract.ts'
import { ConversationGraph } from '../drivers/conversation.ts'
import { FileTail } from './file-tail.ts'
import { TurnTracker } from './turns.ts'

export interface ReaderPorts {
  /** How far the turns of this transcript have been written down, in bytes. */
  cursor: number
  /** Called with what is new in the turns, and how far that is. */
  onTurns(records: AnyNewRecord[], position: number): void
  /** Called for every entry, once each, also for those from before the cursor. */
  onEntry(entry: ConversationEntry): void
  /** Called when something was read. */
  onRead(): void
}

/** Reads one conversation from its transcript: the graph for evidence, the turns for the log. */
export class ConversationReader {
  readonly graph = new ConversationGraph()
  readonly #driver: Driver
  readonly #ports: ReaderPorts
  readonly #turns: TurnTracker
  readonly #tail: FileTail
  readonly #calls = new Set<string>()
  #position = 0

  constructor(agent: Agent, conversation: string, path: string, driver: Driver, ports: ReaderPorts) {
    this.#driver = driver
    this.#ports = ports
    this.#turns = new TurnTracker(agent, conversation)
    this.#tail = new FileTail(path, (lines, end) => this.#take(lines, end))
  }

  /** Reads what is written by now. */
  look(): void {
    this.#tail.read()
  }

  /** Whether this tool call was made in this conversation, as far as it has been read. */
  hasCalled(tool: string): boolean {
    return this.#calls.has(tool)
  }

  /** The CLI writes its transcript a little later than it acts: waits for that, but not long. */
  async settle(ms: number): Promise<void> {
    this.look()
    await this.#tail.nextLines(ms)
    this.look()
  }

  endTurn(reason: string): void {
    this.#write(this.#turns.end(reason))
  }

  close(): void {
    this.#tail.close()
  }

  #take(lines: string[], end: number): void {
    const records = lines.flatMap((line) => this.#takeLine(line))
    this.#position = end
    this.#write(records)
    this.#ports.onRead()
  }

  /** What was written down before the cursor is read again for the graph alone: it may have been pruned from the log since. */
  #takeLine(line: string): AnyNewRecord[] {
    this.#position += Buffer.byteLength(line) + 1
    const entry = this.#parse(line)
    const records = entry === null ? [] : this.#add(entry)
    return this.#position > this.#ports.cursor ? records : []
  }

  /** A line that no reader understands is no reason to stop reading. */
  #parse(line: string): ConversationEntry | null {
    try {
      return this.#driver.transcript.parse(line)
    } catch {
      return null
    }
  }

  #write(records: AnyNewRecord[]): void {
    if (records.length > 0) this.#ports.onTurns(records, this.#position)
  }

  #add(entry: ConversationEntry): AnyNewRecord[] {
    this.graph.add(entry)
    for (const block of entry.blocks) if (block.type === 'tool_use') this.#calls.add(block.id)
    this.#ports.onEntry(entry)
    return this.#turns.add(entry)
  }
}
