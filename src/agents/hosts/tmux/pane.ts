import { after } from '../../../util/timer.ts'
import type { Condition, Screen } from '../terminal/screen.ts'
import type { ControlClient } from './control.ts'
import { paste } from './paste.ts'

/** tmux tells times in whole seconds: what came in the same one as the last notice is seen a second later. */
const secondMs = 1000

/** The pane of one agent, alone in its session. */
export class TmuxPane implements Screen {
  readonly #socket: string
  readonly #control: ControlClient
  readonly #session: string
  readonly #pid: number

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
    return (await this.#control.run(`capture-pane -p -t ${this.#target}`)).join('\n')
  }

  async press(...keys: string[]): Promise<void> {
    await this.#control.run(`send-keys -t ${this.#target} ${keys.join(' ')}`)
  }

  paste(text: string): Promise<void> {
    return paste(this.#socket, this.#target, text)
  }

  async condition(): Promise<Condition> {
    const asked = '#{pane_dead} #{pane_in_mode} #{pane_pid} #{session_activity} #{session_last_attached}'
    const [pane = ''] = await this.#control.run(`display-message -p -t ${this.#target} '${asked}'`)
    const [dead, mode, pid, typed = 0, attached] = pane.split(' ').map(Number)
    return {
      isDead: dead !== 0 || pid !== this.#pid,
      isScrolled: mode !== 0,
      // A session knows it still when its clients have gone. What Rein types is no activity, but its own start is.
      typedMsAgo: attached ? msAgo(typed, Date.now()) : null,
    }
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
    await this.#control.run(`kill-session -t =${this.#session}`)
    return /^\d+$/.test(text) ? Number(text) : null
  }
}

/** How long ago the second ended in which somebody typed; a time to come is a clock that was set back. */
export const msAgo = (second: number, now: number): number | null => {
  const ago = now - (second + 1) * secondMs
  return ago < -2 * secondMs ? null : Math.max(0, ago)
}
