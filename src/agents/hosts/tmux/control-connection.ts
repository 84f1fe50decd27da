import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { ReinError } from '../../../contract/errors.ts'
import { LineSplitter } from '../../../base/util/line-splitter.ts'
import { after } from '../../../base/util/timer.ts'

const answerLimitMs = 5000
const leaveMs = 1000
/** tmux looks at this once a second by itself, and tells when it is another than before: when each session drew something. */
const activity = "refresh-client -B 'activity::#{S:#{session_name}=#{W:#{window_activity}} }'"
const noActivity = 'refresh-client -B activity'

interface Waiting {
  resolve: (lines: string[]) => void
  reject: (cause: Error) => void
}

/** One control client, what it was asked, and how far it has answered. */
export class ControlConnection {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #onActivity: (sessions: string) => void
  readonly #waiting: Waiting[] = []
  #block: { mark: string; lines: string[] } | null = null
  #isAttached = false
  #isOver = false
  readonly closed: Promise<void>

  private constructor(child: ChildProcessWithoutNullStreams, onActivity: (sessions: string) => void) {
    this.#child = child
    this.#onActivity = onActivity
    const splitter = new LineSplitter()
    child.stdout.on('data', (chunk: Buffer) => {
      for (const line of splitter.push(chunk)) this.#take(line)
    })
    child.stderr.resume()
    child.stdin.on('error', () => undefined)
    this.closed = new Promise<void>((resolve) => {
      child.on('error', () => resolve()).on('close', () => resolve())
    }).then(() => this.#lost())
  }

  static async open(args: string[], onActivity: (sessions: string) => void): Promise<ControlConnection> {
    const connection = new ControlConnection(spawn('tmux', args), onActivity)
    try {
      // What a client asks before it has its session, tmux may do for another client.
      await connection.#answered()
      await connection.run(activity)
      return connection
    } catch (cause) {
      connection.#child.kill()
      throw cause
    }
  }

  async run(command: string): Promise<string[]> {
    const answer = this.#answered()
    this.#child.stdin.write(`${command}\n`)
    return answer
  }

  /** Resolves with what tmux says to what it was asked last; at first, when the client is attached. */
  #answered(): Promise<string[]> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(hasEnded())
      const late = setTimeout(() => reject(new ReinError('not_in_time', 'tmux does not answer.')), answerLimitMs)
      const settled =
        <T>(settle: (value: T) => void) =>
        (value: T): void => {
          clearTimeout(late)
          settle(value)
        }
      this.#waiting.push({ resolve: settled(resolve), reject: settled(reject) })
    })
  }

  /** tmux 3.3 crashes, and every agent with it, when it looks for a client that has just lost its session. */
  async end(lastCommand: string): Promise<void> {
    this.#child.stdin.end(`${noActivity}\n${lastCommand}\n`)
    // tmux keeps a client that it still has something to say to, and itself with it.
    const insist = after(leaveMs, () => this.#child.kill('SIGKILL'))
    await this.closed
    insist()
  }

  #take(line: string): void {
    const [, word, mark] = /^%(begin|end|error) (\d+ \d+) /.exec(line) ?? []
    if (this.#block === null) {
      if (word === 'begin' && mark !== undefined) this.#block = { mark, lines: [] }
      if (line.startsWith('%session-changed ')) this.#attached()
      if (line.startsWith('%subscription-changed activity ')) this.#onActivity(line.slice(line.indexOf(' : ') + 3))
      return
    }
    // A screen may hold such lines too; only the block's own time and number end it.
    const isEnd = word !== undefined && word !== 'begin' && mark === this.#block.mark
    if (isEnd) this.#answer(word === 'end', this.#block.lines)
    else this.#block.lines.push(line)
  }

  #attached(): void {
    if (!this.#isAttached) this.#waiting.shift()?.resolve([])
    this.#isAttached = true
  }

  #answer(isGood: boolean, lines: string[]): void {
    this.#block = null
    // Until then tmux only answers the command by which it attaches.
    if (!this.#isAttached) return
    const waiting = this.#waiting.shift()
    if (isGood) waiting?.resolve(lines)
    else waiting?.reject(new ReinError('failed', `tmux: ${lines.join(' ')}`))
  }

  #lost(): void {
    this.#isOver = true
    for (const { reject } of this.#waiting.splice(0)) reject(hasEnded())
  }
}

const hasEnded = (): ReinError => new ReinError('failed', 'tmux has ended.')
