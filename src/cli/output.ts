import { escapeUnsafeJson } from '../base/util/visible.ts'
import { type Env, isAgent } from '../client/agent-env.ts'

interface Stream {
  write(text: string, done?: (error?: Error | null) => void): unknown
  isTTY?: boolean
  columns?: number
}

interface Streams {
  stdout: Stream
  stderr: Stream
}

export type Style = Record<keyof typeof codes, (text: string) => string>

/** Whom the output is for: an agent gets each line that others wrote marked, so that none of them passes for one of ours. */
export interface Reader {
  style: Style
  isAgent: boolean
  /** The width of the terminal; undefined where the output goes elsewhere. */
  columns?: number | undefined
}

/** Everything a command says: results to stdout, what is only for people to stderr. */
export interface Output extends Reader {
  line(text: string): void
  /** One JSON document, for people to read as well. */
  document(value: unknown): void
  /** One JSON value of a stream, on one line. */
  record(value: unknown): void
  note(text: string): void
  /** Advice, printed on a terminal only. */
  hint(text: string): void
  /** How far something is: on a terminal a line that the next one replaces, and an empty one takes away; else nothing. */
  status(text: string): void
  /** Resolves when standard output is written completely. */
  flush(): Promise<void>
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  magenta: [35, 39],
  cyan: [36, 39],
  inverse: [7, 27],
} as const

export const createOutput = (streams: Streams, env: Env): Output => ({
  line: (text) => streams.stdout.write(`${text}\n`),
  document: (value) => streams.stdout.write(`${escapeUnsafeJson(JSON.stringify(value, null, 2))}\n`),
  record: (value) => streams.stdout.write(`${escapeUnsafeJson(JSON.stringify(value))}\n`),
  note: (text) => streams.stderr.write(`${text}\n`),
  hint: (text) => void (streams.stderr.isTTY === true && streams.stderr.write(`${text}\n`)),
  status: (text) => void (isScreen(streams.stderr, env) && streams.stderr.write(`\r\u001b[K${text}`)),
  flush: () =>
    new Promise((resolve, reject) => streams.stdout.write('', (error) => (error ? reject(error) : resolve()))),
  style: createStyle(isScreen(streams.stdout, env) && !env['NO_COLOR']),
  isAgent: isAgent(env),
  columns: streams.stdout.isTTY === true ? streams.stdout.columns : undefined,
})

/** A terminal that understands more than text. */
const isScreen = ({ isTTY }: Stream, env: Env): boolean => isTTY === true && env['TERM'] !== 'dumb'

export const createStyle = (isColoured: boolean): Style =>
  Object.fromEntries(
    Object.entries(codes).map(([name, [on, off]]) => [
      name,
      (text: string) => (isColoured ? `\u001b[${on}m${text}\u001b[${off}m` : text),
    ]),
  ) as Style
