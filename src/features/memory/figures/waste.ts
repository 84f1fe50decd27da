import type { WasteView } from '../../../contract/outputs/memory.ts'
import { hashText } from '../predict/hash.ts'
import { type RanCommand, Sessions, Tally } from './conduct.ts'
import type { MeasuredCommand } from './meter.ts'
import { Programs } from './programs.ts'
import { CommandReader, type Reading, type ToolsOf } from './reading.ts'

export interface OpenTranscript {
  path: string
  commands: AsyncIterable<MeasuredCommand>
}

/** Told after each transcript; `failure` says why one could not be read to its end. */
export interface WasteProgress {
  path: string
  transcripts: number
  commands: number
  failure: string | null
}

const mostPrograms = 40

/** What commands of agents cost in vain, from their transcripts; what could be read of a damaged one counts. */
export const wasteOf = async (
  transcripts: AsyncIterable<OpenTranscript>,
  tools: ToolsOf,
  onProgress: (progress: WasteProgress) => void,
): Promise<WasteView> => {
  const tally = new WasteTally(new CommandReader(tools))
  for await (const { path, commands } of transcripts) {
    const failure = await tally.addAll(path, commands)
    onProgress({ path, ...tally.progress, failure })
  }
  return tally.view()
}

class WasteTally {
  readonly #tally = new Tally()
  readonly #programs = new Programs()
  readonly #sessions = new Set<string>()
  /** Hashes of ids: a conversation that was forked has copies of what came before. */
  readonly #known = new Set<number>()
  readonly #reader: CommandReader
  #transcripts = 0

  constructor(reader: CommandReader) {
    this.#reader = reader
  }

  /** What is remembered of a session ends with its transcript, so memory stays small. Returns why it ended early. */
  async addAll(path: string, commands: AsyncIterable<MeasuredCommand>): Promise<string | null> {
    const sessions = new Sessions()
    this.#transcripts += 1
    try {
      for await (const command of commands) this.#add(sessions, path, command)
      return null
    } catch (cause) {
      return cause instanceof Error ? cause.message : String(cause)
    }
  }

  #add(sessions: Sessions, path: string, command: MeasuredCommand): void {
    const id = hashText(command.id)
    if (this.#known.has(id)) return
    this.#known.add(id)
    const reading = this.#reader.read(command.author, command.version, command.command)
    const ran = toRan(command, command.session ?? path, reading)
    this.#sessions.add(ran.session)
    this.#tally.add(ran, sessions.place(ran))
    this.#programs.add(reading.program, ran.outcome, reading.isWrongTool === true)
  }

  get progress(): { transcripts: number; commands: number } {
    return { transcripts: this.#transcripts, commands: this.#tally.counts.commands }
  }

  view(): WasteView {
    const programs = this.#programs.most(mostPrograms, 'runs')
    return {
      ...this.#tally.counts,
      transcripts: this.#transcripts,
      sessions: this.#sessions.size,
      programs: programs.map(({ program, runs, failed, wrongTool }) => ({ program, runs, failed, wrongTool })),
    }
  }
}

const toRan = (command: MeasuredCommand, session: string, { text, isWrongTool }: Reading): RanCommand => ({
  author: command.author,
  session,
  text,
  outcome: command.outcome,
  durationMs: command.durationMs,
  outputChars: command.outputChars,
  isAfterEdit: command.isAfterEdit,
  isWrongTool,
})
