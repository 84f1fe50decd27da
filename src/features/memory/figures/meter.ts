import { createReadStream } from 'node:fs'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { Driver, ShellEnd } from '../../../drivers/contract.ts'
import { isObject, parseObject, textOf } from '../../../base/util/json.ts'
import { LineSplitter } from '../../../base/util/line-splitter.ts'
import { Since } from '../capture/since.ts'
import { tookMs } from '../recorded.ts'
import type { RanCommand } from './conduct.ts'

/** A command of a transcript, with its cost. */
export interface MeasuredCommand extends Omit<RanCommand, 'text' | 'isWrongTool' | 'session'> {
  /** The same in each copy of a conversation. */
  id: string
  command: string
  /** Of the CLI that ran it. */
  version: string | null
  session: string | null
}

type Called = Pick<MeasuredCommand, 'id' | 'command' | 'isAfterEdit'> & { at: number }

/** The commands of a transcript of Claude Code or Codex, line by line. */
export async function* measureTranscript(
  path: string,
  findDriver: (name: string) => Driver,
): AsyncGenerator<MeasuredCommand> {
  let meter: Meter | null = null
  for await (const line of readLines(path)) {
    const raw = parseObject(line)
    // Codex wraps everything it writes.
    if (raw !== null) meter ??= new Meter(findDriver(isObject(raw['payload']) ? 'codex' : 'claude'))
    if (meter !== null) yield* meter.read(line)
  }
  if (meter !== null) yield* meter.end()
}

async function* readLines(path: string): AsyncGenerator<string> {
  const lines = new LineSplitter()
  for await (const chunk of createReadStream(path)) yield* lines.push(chunk as Buffer)
  yield* lines.push(Buffer.from('\n'))
}

/** Matches each call of the shell with its end. */
class Meter {
  readonly #driver: Driver
  readonly #readEntries: (line: string) => ConversationEntry[]
  readonly #open = new Map<string, Called>()
  readonly #since = new Since()
  #session: string | null = null
  #version: string | null = null

  constructor(driver: Driver) {
    const { format } = driver.transcript
    if (format.kind !== 'lines') throw new Error('A transcript that is no file of lines.')
    this.#driver = driver
    this.#readEntries = format.reader()
  }

  read(line: string): MeasuredCommand[] {
    const raw = parseObject(line) ?? {}
    const told = raw['type'] === 'session_meta' && isObject(raw['payload']) ? raw['payload'] : {}
    this.#session = textOf(raw['sessionId']) ?? textOf(told['id']) ?? this.#session
    this.#version = textOf(raw['version']) ?? textOf(told['cli_version']) ?? this.#version
    return this.#readEntries(line).flatMap((entry) => this.#readEntry(entry))
  }

  /** Commands without a result count as run. */
  end(): MeasuredCommand[] {
    const unknown: ShellEnd = { outcome: 'unknown', exit: null, durationMs: null, output: '' }
    return [...this.#open.values()].map((called) => this.#measure(called, unknown, called.at))
  }

  #readEntry({ blocks, at, raw }: ConversationEntry): MeasuredCommand[] {
    return blocks.flatMap((block) => {
      if (block.type === 'tool_use') {
        const { id, name, input } = block
        const call = this.#driver.shell.call(name, input)
        if (call === null) this.#since.note({ id, name, input })
        else if (call.command.trim() !== '')
          this.#open.set(id, { id, command: call.command, isAfterEdit: this.#since.take().edited.length > 0, at })
      }
      if (block.type !== 'tool_result') return []
      const called = this.#open.get(block.id)
      this.#open.delete(block.id)
      const end = this.#driver.shell.end(block, raw)
      return called === undefined || end === null ? [] : [this.#measure(called, end, at)]
    })
  }

  #measure({ id, command, isAfterEdit, at }: Called, end: ShellEnd, endedAt: number): MeasuredCommand {
    return {
      id: `${this.#driver.name} ${id}`,
      command,
      author: this.#driver.name,
      version: this.#version,
      session: this.#session,
      outcome: end.outcome,
      durationMs: tookMs(end, at, endedAt),
      outputChars: end.output.length,
      isAfterEdit,
    }
  }
}
