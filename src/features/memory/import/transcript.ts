import path from 'node:path'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import type { Driver, ShellEnd } from '../../../drivers/contract.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { endedWith, interrupted } from '../../../drivers/shell-end.ts'
import { parseObject } from '../../../base/util/json.ts'
import { tookMs } from '../recorded.ts'
import type { Found } from './found.ts'
import { ByteLines, type HistoryReader } from './history-reader.ts'
import { type Place, placeIn, type TranscriptKind } from './place.ts'

type ToolUse = Extract<TurnBlock, { type: 'tool_use' }>

/** The shell commands of one transcript, each when its result is there. */
export class TranscriptHistory implements HistoryReader {
  readonly #lines = new ByteLines()
  readonly #kind: TranscriptKind
  readonly #driver: Driver
  readonly #entriesIn: (line: string) => ConversationEntry[]
  readonly #open = new Map<string, Found>()
  #place: Place = { session: null, cwd: null }

  constructor(kind: TranscriptKind) {
    this.#kind = kind
    this.#driver = findDriver(kind)
    const { format } = this.#driver.transcript
    if (format.kind !== 'lines') throw new Error(`Transcripts of ${kind} are no files of lines.`)
    this.#entriesIn = format.reader()
  }

  push(chunk: Buffer): Found[] {
    return this.#lines.push(chunk).flatMap((line) => this.#read(line.toString('utf8')))
  }

  /** What has no result was run, for all that is known. */
  end(): Found[] {
    const last = this.#lines.end().flatMap((line) => this.#read(line.toString('utf8')))
    return [...last, ...this.#open.values()]
  }

  #read(line: string): Found[] {
    const { session, cwd } = placeIn[this.#kind](parseObject(line) ?? {})
    this.#place = { session: session ?? this.#place.session, cwd: cwd ?? this.#place.cwd }
    return this.#entriesIn(line).flatMap((entry) => this.#entry(entry))
  }

  #entry(entry: ConversationEntry): Found[] {
    const found = entry.blocks.flatMap((block) => this.#block(block, entry))
    if (entry.isInterrupt !== true) return found
    return [...found, ...[...this.#open.keys()].flatMap((id) => this.#ended(id, interrupted(''), entry.at))]
  }

  #block(block: TurnBlock, { at, raw }: ConversationEntry): Found[] {
    if (block.type === 'tool_use') this.#begin(block, at)
    return block.type === 'tool_result' ? this.#ended(block.id, this.#driver.shell.end(block, raw), at) : []
  }

  #begin({ id, name, input }: ToolUse, at: number): void {
    const call = this.#driver.shell.call(name, input)
    if (call === null || call.command.trim() === '') return
    const { session, cwd } = this.#place
    const place = cwd === null ? call.cwd : path.resolve(cwd, call.cwd ?? '')
    const { command } = call
    const known = { key: id, command, at: at || null, cwd: place, session, author: this.#driver.name }
    this.#open.set(id, { ...known, ...endedWith(null, ''), output: null })
  }

  /** Without an end it was never run. */
  #ended(id: string, end: ShellEnd | null, at: number): Found[] {
    const command = this.#open.get(id)
    this.#open.delete(id)
    if (command === undefined || end === null) return []
    const { outcome, exit, output } = end
    return [{ ...command, outcome, exit, output, durationMs: tookMs(end, command.at, at) }]
  }
}
