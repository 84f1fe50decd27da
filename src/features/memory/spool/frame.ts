import { parseObject, textOf } from '../../../base/util/json.ts'
import { longestCommand, type Outcome, outcomeOf, outcomes, person } from '../../../contract/outcome.ts'
import type { RecordedCommand } from '../recorded.ts'

/** One command of a person's shell, or one that another program told of; the id is the same however often it is read. */
export interface SpooledCommand extends RecordedCommand {
  id: string
  session: string
  outcome: Outcome
  /** How its output ends, where another program told so. */
  output: string | null
  branch: string | null
  source: 'shell' | 'ingest'
}

export interface Frames {
  commands: SpooledCommand[]
  /** Lines that are none of ours, or of which a part is missing. */
  broken: number
}

/** `1`, number, begin and duration in ms, exit code, directory, command and a dot, separated by tabs. */
const fieldCount = 8
const [version, told, end] = ['1', '2', '.']

/** Reads what a shell has written: one line for each command, each after an empty one, so that half a line spoils no other. */
export const readFrames = (bytes: Buffer, session: string): Frames => {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
  const commands = lines.map((line) => commandIn(line, session)).filter((command) => command !== null)
  return { commands, broken: lines.length - commands.length }
}

/** A line for what another program tells of: `2`, the command as JSON, and a dot. */
export const frameOf = (command: SpooledCommand): string => `\n${told}\t${JSON.stringify(command)}\t${end}\n`

const commandIn = (line: string, session: string): SpooledCommand | null => {
  const fields = line.split('\t')
  if (fields[0] === told) return fields.length === 3 && fields[2] === end ? toldIn(fields[1] ?? '') : null
  const [first, count = '', at = '', duration = '', exit = '', cwd = '', command = '', last] = fields
  const isWhole = fields.length === fieldCount && first === version && last === end && /^[1-9]\d*$/.test(count)
  if (!isWhole || command === '') return null
  return {
    id: `${session}-${count}`,
    command: unescaped(command),
    at: numberIn(at),
    cwd: cwd === '' ? null : unescaped(cwd),
    exit: numberIn(exit),
    durationMs: numberIn(duration),
    outcome: outcomeOf(numberIn(exit)),
    session,
    author: person,
    output: null,
    branch: null,
    source: 'shell',
  }
}

const toldIn = (json: string): SpooledCommand | null => {
  const { at, exit: given, durationMs, ...texts } = parseObject(json) ?? {}
  const [id, command, session, author] = ['id', 'command', 'session', 'author'].map((name) => textOf(texts[name]))
  if (!id || !command || !session || !author || command.length > longestCommand) return null
  const exit = Number.isSafeInteger(given) ? Number(given) : null
  return {
    id,
    command,
    at: countOf(at),
    cwd: textOf(texts['cwd']),
    exit,
    durationMs: countOf(durationMs),
    outcome: outcomes.find((each) => each === texts['outcome']) ?? outcomeOf(exit),
    session,
    author,
    output: textOf(texts['output']),
    branch: textOf(texts['branch']),
    source: 'ingest',
  }
}

/** One number that no column takes would keep all commands of its file from being taken over. */
const countOf = (value: unknown): number | null => {
  const count = typeof value === 'number' ? Math.round(value) : -1
  return count >= 0 && count <= lastMoment ? count : null
}

const numberIn = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null)

/** As far as a date goes. */
const lastMoment = 8_640_000_000_000_000

const meanings: Record<string, string> = { n: '\n', t: '\t' }

const unescaped = (text: string): string => text.replace(/\\(.)/g, (_, letter: string) => meanings[letter] ?? letter)
