import { after } from '../../../base/util/timer.ts'
import type { Condition, Screen } from '../terminal/screen.ts'
import type { ControlClient } from './control.ts'
import { paste } from './paste.ts'

/** tmux tells times in whole seconds: what came in the same one as the last notice is seen a second later. */
const secondMs = 1000

/** The pane of one agent, alone in its session; a session of all agents may show it, too. */
export class TmuxPane implements Screen {
  readonly #socket: string
  readonly #control: ControlClient
  readonly #session: string
  readonly #pid: number
  /** In seconds, as tmux tells it. */
  #typedAt = -Infinity

  constructor(socket: string, control: ControlClient, session: string, pid: number) {
    this.#socket = socket
    this.#control = control
    this.#session = session
    this.#pid = pid
  }

  /** An exact target, not the first name that begins like it. */
  get #target(): string {
    return `=${this.#session}:`
  }

  async read(): Promise<string> {
    // What is typed is drawn, and what is drawn is read: so whoever leaves was seen before.
    const [lines] = await Promise.all([this.#control.run(`capture-pane -p -t ${this.#target}`), this.#seeTyping()])
    return lines.join('\n')
  }

  async press(...keys: string[]): Promise<void> {
    await this.#control.run(`send-keys -t ${this.#target} ${keys.join(' ')}`)
  }

  paste(text: string): Promise<void> {
    return paste(this.#socket, this.#target, text)
  }

  async condition(): Promise<Condition> {
    const asked = '#{pane_dead} #{pane_in_mode} #{pane_pid} #{session_activity} #{session_last_attached}'
    const [[pane = '']] = await Promise.all([
      this.#control.run(`display-message -p -t ${this.#target} '${asked}'`),
      this.#seeTyping(),
    ])
    const [dead, mode, pid, typed = 0, attached] = pane.split(' ').map(Number)
    return {
      isDead: dead !== 0 || pid !== this.#pid,
      isScrolled: mode !== 0,
      // A session knows it still when its clients have gone. What Rein types is no activity, but its own start is.
      typedMsAgo: msAgo(Math.max(this.#typedAt, attached ? typed : -Infinity), Date.now()),
    }
  }

  /** The last moment when somebody typed here: a client may look at the pane in its own session, or in one beside others. */
  async #seeTyping(): Promise<void> {
    const clients = await this.#control.run(`list-clients -F '#{pane_pid} #{client_activity}'`).catch(() => [])
    const here = clients.map((client) => client.split(' ').map(Number)).filter(([pid]) => pid === this.#pid)
    this.#typedAt = Math.max(this.#typedAt, ...here.map(([, second = -Infinity]) => second))
  }

  onChange(run: () => void): () => void {
    let again: (() => void) | null = null
    const unwatch = this.#control.onActivity(this.#session, () => {
      again?.()
      again = after(secondMs, run)
      run()
    })
    return () => {
      again?.()
      unwatch()
    }
  }

  async end(): Promise<number | null> {
    const [text = ''] = await this.#control.run(`display-message -p -t ${this.#target} '#{pane_dead_status}'`)
    await this.#control.run(`kill-window -t ${this.#target}`)
    return /^\d+$/.test(text) ? Number(text) : null
  }
}

/** How long ago the second ended in which somebody typed; null if nobody did. A time to come is a clock that was set back. */
export const msAgo = (second: number, now: number): number | null => {
  const ago = now - (second + 1) * secondMs
  return ago < -2 * secondMs || second === -Infinity ? null : Math.max(0, ago)
}
