import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { v4 as uuid } from 'uuid'
import { ReinError } from '../../../contract/errors.ts'
import { LineSplitter } from '../../../util/ndjson.ts'
import { runTmux } from './server.ts'

/** A session that only holds the control client: agents have sessions of their own. */
const controlSession = 'rein-control'
const answerLimitMs = 5000
/** tmux looks at this once a second by itself, and tells when it is another than before: when each session drew something. */
const activity = "refresh-client -B 'activity::#{S:#{session_name}=#{W:#{window_activity}} }'"

interface Waiting {
  resolve: (lines: string[]) => void
  reject: (cause: Error) => void
}

/** One control-mode client for everything that happens often: a command costs a tenth of a millisecond, not a process. */
export class ControlClient {
  readonly #socket: string
  #connection: Promise<ChildProcessWithoutNullStreams> | null = null
  #child: ChildProcessWithoutNullStreams | null = null
  #waiting: Waiting[] = []
  #block: { mark: string; lines: string[] } | null = null
  /** The word that ends what tmux says by itself when a client attaches. */
  #greeting: { word: string; heard: () => void } | null = null
  #activity = new Map<string, string>()
  readonly #listeners = new Map<string, () => void>()

  constructor(socket: string) {
    this.#socket = socket
  }

  /** Runs one tmux command line; its lines of output, or its complaint as an error. */
  async run(command: string): Promise<string[]> {
    this.#connection ??= this.#connect()
    const child = await this.#connection.catch((cause: unknown) => {
      this.#connection = null
      throw cause
    })
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new ReinError('not_in_time', 'tmux does not answer.')), answerLimitMs)
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(late)
          settle(value)
        }
      this.#waiting.push({ resolve: settled(resolve), reject: settled(reject) })
      child.stdin.write(`${command}\n`)
    })
  }

  /** Calls back when something was drawn in this session; returns how to stop. */
  onActivity(session: string, run: () => void): () => void {
    this.#listeners.set(session, run)
    return () => this.#listeners.delete(session)
  }

  /** Takes its own session along: a tmux server without agents ends. */
  close(): void {
    this.#child?.stdin.end(`kill-session -t =${controlSession}\n`)
  }

  async #connect(): Promise<ChildProcessWithoutNullStreams> {
    // A server that has ended took all agents along: none is started to look for them.
    const sessions = (await this.#sessions()).split('\n')
    if (!sessions.includes(controlSession))
      await runTmux(this.#socket, 'new-session', '-d', '-s', controlSession, '-x', '80', '-y', '24', 'exec cat')
    const child = spawn('tmux', ['-S', this.#socket, '-C', 'attach-session', '-t', `=${controlSession}`])
    this.#child = child
    const splitter = new LineSplitter()
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#take(line)
    })
    child.stdin.on('error', () => undefined)
    child.on('exit', () => this.#lost())
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject).on('exit', () => reject(new ReinError('failed', 'tmux has ended.')))
      this.#greeting = { word: uuid(), heard: resolve }
      child.stdin.write(`${activity}\ndisplay-message -p ${this.#greeting.word}\n`)
    })
    return child
  }

  #sessions(): Promise<string> {
    return runTmux(this.#socket, 'list-sessions', '-F', '#{session_name}').catch((cause: Error) => {
      const isGone = /no server running|error connecting/.test(cause.message)
      throw isGone ? new ReinError('not_running', cause.message) : cause
    })
  }

  #take(line: string): void {
    const [, word, mark] = /^%(begin|end|error) (\d+ \d+) /.exec(line) ?? []
    if (this.#block === null) {
      if (word === 'begin' && mark !== undefined) this.#block = { mark, lines: [] }
      if (line.startsWith('%subscription-changed activity ')) this.#tell(line.slice(line.indexOf(' : ') + 3))
      return
    }
    // A screen may hold such lines too; only the block's own time and number end it.
    const isEnd = word !== undefined && word !== 'begin' && mark === this.#block.mark
    if (isEnd) this.#answer(word === 'end', this.#block.lines)
    else this.#block.lines.push(line)
  }

  #tell(sessions: string): void {
    const before = this.#activity
    this.#activity = new Map(sessions.split(' ').map((one) => one.split('=') as [string, string]))
    for (const [session, run] of this.#listeners) if (this.#activity.get(session) !== before.get(session)) run()
  }

  #answer(isGood: boolean, lines: string[]): void {
    this.#block = null
    if (this.#greeting !== null) return this.#greet(lines)
    const waiting = this.#waiting.shift()
    if (isGood) waiting?.resolve(lines)
    else waiting?.reject(new ReinError('failed', `tmux: ${lines.join(' ')}`))
  }

  #greet(lines: string[]): void {
    const greeting = this.#greeting
    if (greeting === null || lines[0] !== greeting.word) return
    this.#greeting = null
    greeting.heard()
  }

  #lost(): void {
    this.#connection = null
    this.#child = null
    this.#block = null
    for (const { reject } of this.#waiting.splice(0)) reject(new ReinError('failed', 'tmux has ended.'))
    for (const run of this.#listeners.values()) run()
  }
}
