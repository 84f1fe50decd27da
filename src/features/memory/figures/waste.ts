import type { WasteView } from '../../../contract/outputs/memory.ts'
import { hashText } from '../predict/hash.ts'
import { Sessions, Tally } from './conduct.ts'
import type { MeasuredCommand } from './meter.ts'
import { Programs } from './programs.ts'
import { CommandReader, type ToolsOf } from './reading.ts'

export interface OpenTranscript {
  path: string
  commands: AsyncIterable<MeasuredCommand>
}

/** Reported after each transcript; `failure` is why one could not be read to its end. */
export interface WasteProgress {
  path: string
  transcripts: number
  commands: number
  failure: string | null
}

const mostPrograms = 40

/** The cost of useless commands of agents, from their transcripts; the readable part of a damaged one counts. */
export const wasteOf = async (
  opened: AsyncIterable<OpenTranscript>,
  tools: ToolsOf,
  onProgress: (progress: WasteProgress) => void,
): Promise<WasteView> => {
  const reader = new CommandReader(tools)
  const tally = new Tally()
  const programs = new Programs()
  const sessionNames = new Set<string>()
  /** Hashes of ids: a forked conversation has copies of the commands before the fork. */
  const known = new Set<number>()
  let transcripts = 0
  for await (const { path, commands } of opened) {
    // Sessions are forgotten with their transcript, so memory stays small.
    const sessions = new Sessions()
    let failure: string | null = null
    transcripts += 1
    try {
      for await (const command of commands) {
        const id = hashText(command.id)
        if (known.has(id)) continue
        known.add(id)
        const reading = reader.read(command.author, command.version, command.command)
        const ran = { ...command, ...reading, session: command.session ?? path }
        sessionNames.add(ran.session)
        tally.add(ran, sessions.place(ran))
        programs.add(reading.program, ran.outcome, reading.isWrongTool === true)
      }
    } catch (cause) {
      failure = cause instanceof Error ? cause.message : String(cause)
    }
    onProgress({ path, transcripts, commands: tally.counts.commands, failure })
  }
  return {
    ...tally.counts,
    transcripts,
    sessions: sessionNames.size,
    programs: programs
      .most(mostPrograms, 'runs')
      .map(({ program, runs, failed, wrongTool }) => ({ program, runs, failed, wrongTool })),
  }
}
