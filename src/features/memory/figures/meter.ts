import { createReadStream } from 'node:fs'
import type { Outcome } from '../../../contract/outcome.ts'
import type { ConversationEntry } from '../../../contract/conversation.ts'
import type { TurnBlock } from '../../../contract/turn.ts'
import type { Driver, ShellEnd } from '../../../drivers/contract.ts'
import { isObject, parseObject, textOf } from '../../../base/util/json.ts'
import { LineSplitter } from '../../../base/util/line-splitter.ts'
import { Since } from '../capture/since.ts'
import { tookMs } from '../recorded.ts'

/** A command of a transcript, with what it cost. */
export interface MeasuredCommand {
  /** The same in each copy of a conversation. */
  id: string
  command: string
  author: string
  /** Of the CLI that ran it. */
  version: string | null
  session: string | null
  outcome: Outcome
  durationMs: number | null
  outputChars: number
  /** The agent changed files since its last command. */
  isAfterEdit: boolean
}

type DriverNamed = (name: string) => Driver
type Called = Pick<MeasuredCommand, 'id' | 'command' | 'isAfterEdit'> & { at: number }

const notTold: ShellEnd = { outcome: 'unknown', exit: null, durationMs: null, output: '' }

/** The commands of a transcript of Claude Code or Codex, line by line. */
export async function* measureTranscript(path: string, driver: DriverNamed): AsyncGenerator<MeasuredCommand> {
  let meter: Meter | null = null
  for await (const line of linesIn(path)) {
    meter ??= meterFor(line, driver)
    if (meter !== null) yield* meter.read(line)
  }
  if (meter !== null) yield* meter.end()
}

async function* linesIn(path: string): AsyncGenerator<string> {
  const lines = new LineSplitter()
  for await (const chunk of createReadStream(path)) yield* lines.push(chunk as Buffer)
  yield* lines.push(Buffer.from('\n'))
}

/** Null for a line that tells nothing. Codex wraps all it writes. */
const meterFor = (line: string, driver: DriverNamed): Meter | null => {
  const raw = parseObject(line)
  if (raw === null) return null
  return new Meter(driver(isObject(raw['payload']) ? 'codex' : 'claude'))
}

/** Matches each call of the shell with its end. */
class Meter {
  readonly #driver: Driver
  readonly #entriesIn: (line: string) => ConversationEntry[]
  readonly #open = new Map<string, Called>()
  readonly #since = new Since()
  #session: string | null = null
  #version: string | null = null

  constructor(driver: Driver) {
    const { format } = driver.transcript
    if (format.kind !== 'lines') throw new Error('A transcript that is no file of lines.')
    this.#driver = driver
    this.#entriesIn = format.reader()
  }

  read(line: string): MeasuredCommand[] {
    const raw = parseObject(line) ?? {}
    const told = raw['type'] === 'session_meta' && isObject(raw['payload']) ? raw['payload'] : {}
    this.#session = textOf(raw['sessionId']) ?? textOf(told['id']) ?? this.#session
    this.#version = textOf(raw['version']) ?? textOf(told['cli_version']) ?? this.#version
    return this.#entriesIn(line).flatMap((entry) => entry.blocks.flatMap((block) => this.#block(block, entry)))
  }

  /** What has no result was run, for all that is known. */
  end(): MeasuredCommand[] {
    return [...this.#open.values()].map((called) => this.#measured(called, notTold, called.at))
  }

  #block(block: TurnBlock, { at, raw }: ConversationEntry): MeasuredCommand[] {
    if (block.type === 'tool_use') this.#call(block, at)
    if (block.type !== 'tool_result') return []
    const called = this.#open.get(block.id)
    this.#open.delete(block.id)
    const end = this.#driver.shell.end(block, raw)
    return called === undefined || end === null ? [] : [this.#measured(called, end, at)]
  }

  #call({ id, name, input }: Extract<TurnBlock, { type: 'tool_use' }>, at: number): void {
    const call = this.#driver.shell.call(name, input)
    if (call === null) return this.#since.note({ id, name, input })
    if (call.command.trim() === '') return
    this.#open.set(id, { id, command: call.command, isAfterEdit: this.#since.take().edited.length > 0, at })
  }

  #measured({ id, command, isAfterEdit, at }: Called, end: ShellEnd, endedAt: number): MeasuredCommand {
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
