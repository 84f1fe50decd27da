import { longestCommand, type Outcome, outcomeOf, outcomes, person } from '../../../contract/outcome.ts'
import { parseObject, textOf } from '../../../base/util/json.ts'
import type { RecordedCommand } from '../recorded.ts'

/** One command of a person's shell, or reported by another program; its id is always the same. */
export interface SpooledCommand extends RecordedCommand {
  id: string
  session: string
  outcome: Outcome
  /** The end of its output, where another program reported it. */
  output: string | null
  branch: string | null
  source: 'shell' | 'ingest'
}

export interface Frames {
  commands: SpooledCommand[]
  /** The number of foreign or incomplete lines. */
  broken: number
}

/** `1`, number, start and duration in ms, exit code, directory, command and a dot, separated by tabs. */
const fieldCount = 8
const [version, told, end] = ['1', '2', '.']
/** The last time that a date can hold. */
const lastMoment = 8_640_000_000_000_000
const escapes: Record<string, string> = { n: '\n', t: '\t' }

/** A line for a command that another program reports: `2`, the command as JSON, and a dot. */
export const frameOf = (command: SpooledCommand): string => `\n${told}\t${JSON.stringify(command)}\t${end}\n`

/** Reads the lines of a shell: one for each command, each after an empty one, so that half a line spoils no other. */
export const readFrames = (bytes: Buffer, session: string): Frames => {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
  const commands = lines
    .map((line) => {
      const fields = line.split('\t')
      if (fields[0] !== told) return readTyped(fields, session)
      return fields.length === 3 && fields[2] === end ? readTold(fields[1] ?? '') : null
    })
    .filter((command) => command !== null)
  return { commands, broken: lines.length - commands.length }
}

const readTyped = (fields: readonly string[], session: string): SpooledCommand | null => {
  const [first, count = '', at = '', duration = '', exit = '', cwd = '', command = '', last] = fields
  const isWhole = fields.length === fieldCount && first === version && last === end && /^[1-9]\d*$/.test(count)
  if (!isWhole || command === '') return null
  return {
    id: `${session}-${count}`,
    command: unescapeText(command),
    at: readNumber(at),
    cwd: cwd === '' ? null : unescapeText(cwd),
    exit: readNumber(exit),
    durationMs: readNumber(duration),
    outcome: outcomeOf(readNumber(exit)),
    session,
    author: person,
    output: null,
    branch: null,
    source: 'shell',
  }
}

const readTold = (json: string): SpooledCommand | null => {
  const { at, exit: given, durationMs, ...texts } = parseObject(json) ?? {}
  const [id, command, session, author] = ['id', 'command', 'session', 'author'].map((name) => textOf(texts[name]))
  if (!id || !command || !session || !author || command.length > longestCommand) return null
  const exit = Number.isSafeInteger(given) ? Number(given) : null
  return {
    id,
    command,
    at: readTime(at),
    cwd: textOf(texts['cwd']),
    exit,
    durationMs: readTime(durationMs),
    outcome: outcomes.find((each) => each === texts['outcome']) ?? outcomeOf(exit),
    session,
    author,
    output: textOf(texts['output']),
    branch: textOf(texts['branch']),
    source: 'ingest',
  }
}

/** Null for a number that no column takes: it would block all commands of its file. */
const readTime = (value: unknown): number | null => {
  const time = typeof value === 'number' ? Math.round(value) : -1
  return time >= 0 && time <= lastMoment ? time : null
}

const readNumber = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

const unescapeText = (text: string): string => text.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter)
