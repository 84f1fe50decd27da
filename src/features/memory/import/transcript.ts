import path from 'node:path'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { Driver, ShellEnd } from '../../../drivers/contract.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { endedWith, interrupted } from '../../../drivers/shell-end.ts'
import { isObject, parseObject, textOf } from '../../../base/util/json.ts'
import { tookMs } from '../recorded.ts'
import { type Found, HistoryReader } from './history-reader.ts'

export type TranscriptKind = 'claude' | 'codex'

/** The shell commands of one transcript, each when its result is there. */
export class TranscriptHistory extends HistoryReader {
  readonly #kind: TranscriptKind
  readonly #driver: Driver
  readonly #readEntries: (line: string) => ConversationEntry[]
  readonly #open = new Map<string, Found>()
  #session: string | null = null
  #cwd: string | null = null

  constructor(kind: TranscriptKind) {
    super()
    this.#kind = kind
    this.#driver = findDriver(kind)
    const { format } = this.#driver.transcript
    if (format.kind !== 'lines') throw new Error(`Transcripts of ${kind} are no files of lines.`)
    this.#readEntries = format.reader()
  }

  protected read(bytes: Buffer): Found[] {
    const line = bytes.toString('utf8')
    const raw = parseObject(line) ?? {}
    const { type, payload } = raw
    if (this.#kind === 'claude') {
      this.#session = textOf(raw['sessionId']) ?? this.#session
      this.#cwd = textOf(raw['cwd']) ?? this.#cwd
    } else if ((type === 'session_meta' || type === 'turn_context') && isObject(payload)) {
      if (type === 'session_meta') this.#session = textOf(payload['id']) ?? this.#session
      this.#cwd = textOf(payload['cwd']) ?? this.#cwd
    }
    return this.#readEntries(line).flatMap((entry) => this.#readEntry(entry))
  }

  /** Commands without a result count as run. */
  protected finish(): Found[] {
    return [...this.#open.values()]
  }

  #readEntry({ blocks, at, raw, isInterrupt }: ConversationEntry): Found[] {
    const found: Found[] = []
    for (const block of blocks) {
      if (block.type === 'tool_result')
        found.push(...this.#finishCall(block.id, this.#driver.shell.end(block, raw), at))
      if (block.type !== 'tool_use') continue
      const call = this.#driver.shell.call(block.name, block.input)
      if (call === null || call.command.trim() === '') continue
      const { command } = call
      const cwd = this.#cwd === null ? call.cwd : path.resolve(this.#cwd, call.cwd ?? '')
      const known = { key: block.id, command, at: at || null, cwd, session: this.#session, author: this.#driver.name }
      this.#open.set(block.id, { ...known, ...endedWith(null, ''), output: null })
    }
    if (isInterrupt !== true) return found
    return [...found, ...[...this.#open.keys()].flatMap((id) => this.#finishCall(id, interrupted(''), at))]
  }

  /** A call without an end never ran. */
  #finishCall(id: string, end: ShellEnd | null, at: number): Found[] {
    const command = this.#open.get(id)
    this.#open.delete(id)
    if (command === undefined || end === null) return []
    const { outcome, exit, output } = end
    return [{ ...command, outcome, exit, output, durationMs: tookMs(end, command.at, at) }]
  }
}
