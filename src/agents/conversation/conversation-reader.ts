import type { Agent } from '../../contract/agent.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import type { Driver, TranscriptFormat } from '../../drivers/contract.ts'
import { ConversationGraph } from '../../drivers/conversation.ts'
import { EntryOrder } from './entry-order.ts'
import { FileTail } from './file-tail.ts'
import { TableTail } from './table-tail.ts'
import { TurnTracker } from './turns.ts'

interface Tail {
  read(): void
  /** True at the next news, false after `ms` without any. */
  next(ms: number): Promise<boolean>
  close(): void
}

/** A line or row as entries, and how far the transcript is read with it. */
interface Piece {
  entries: ConversationEntry[]
  end: number
}

export interface ReaderListener {
  /** Called with what is new in the turns, and how far that is. */
  onTurns(records: AnyNewRecord[], position: number): void
  /** Called for every entry, once each, also for those from before the cursor. */
  onEntry(entry: ConversationEntry): void
  /** Called when something was read. */
  onRead(): void
}

/** Reads one conversation from its transcript: the graph for evidence, the turns for the log. */
export class ConversationReader {
  graph = new ConversationGraph()
  readonly #listener: ReaderListener
  readonly #newTurns: () => TurnTracker
  #turns: TurnTracker
  #order = new EntryOrder()
  readonly #tail: Tail
  readonly #calls = new Set<string>()
  #position = 0
  #cursor: number

  /** `cursor`: how far the turns of this transcript are on the log. */
  constructor(
    agent: Agent,
    conversation: string,
    path: string,
    driver: Driver,
    cursor: number,
    listener: ReaderListener,
  ) {
    this.#listener = listener
    this.#cursor = cursor
    this.#newTurns = () => new TurnTracker(agent, conversation, driver)
    this.#turns = this.#newTurns()
    this.#tail = this.#follow(driver.transcript.format, conversation, path)
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
    await this.#tail.next(ms)
    this.look()
  }

  /** Waits until nothing more was written for `quietMs`, but not longer than `limitMs`. */
  async untilQuiet(quietMs: number, limitMs: number): Promise<void> {
    const start = performance.now()
    do this.look()
    while ((await this.#tail.next(quietMs)) && performance.now() - start < limitMs)
    this.look()
  }

  get turnOpenSince(): number | null {
    return this.#turns.openSince
  }

  endTurn(reason: string): void {
    this.#write(this.#turns.end(reason))
  }

  close(): void {
    this.#tail.close()
  }

  #follow(format: TranscriptFormat, conversation: string, path: string): Tail {
    if (format.kind === 'rows') {
      const read = carefully(format.reader())
      return new TableTail(path, format.query, conversation, (rows) => {
        this.#readPieces(rows.map((row) => ({ entries: read(row), end: Number(row['position']) })))
      })
    }
    let read = carefully(format.reader())
    let position = 0
    const readLines = (lines: string[]): void =>
      this.#readPieces(lines.map((line) => ({ entries: read(line), end: (position += Buffer.byteLength(line) + 1) })))
    return new FileTail(path, readLines, () => {
      read = carefully(format.reader())
      position = 0
      this.#cursor = 0
      this.graph = new ConversationGraph()
      this.#order = new EntryOrder()
      this.#turns = this.#newTurns()
    })
  }

  #readPieces(pieces: Piece[]): void {
    const records: AnyNewRecord[] = []
    for (const { entries, end } of pieces) {
      this.#position = end
      for (const entry of entries.flatMap((one) => this.#order.take(one))) {
        this.graph.add(entry)
        for (const block of entry.blocks) if (block.type === 'tool_use') this.#calls.add(block.id)
        this.#listener.onEntry(entry)
        const news = this.#turns.add(entry)
        // Turns before the cursor are on the log already, or were pruned from it: those entries are read for the graph alone.
        if (end > this.#cursor) records.push(...news)
      }
    }
    this.#write(records)
    this.#listener.onRead()
  }

  #write(records: AnyNewRecord[]): void {
    if (records.length > 0) this.#listener.onTurns(records, this.#position)
  }
}

/** A line that no reader understands is no reason to stop reading. */
const carefully =
  <T>(read: (piece: T) => ConversationEntry[]) =>
  (piece: T): ConversationEntry[] => {
    try {
      return read(piece)
    } catch {
      return []
    }
  }
