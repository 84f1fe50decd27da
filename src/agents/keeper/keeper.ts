import type { Socket } from 'node:net'
import type { KeeperEvent, KeptPlan, Size } from '../../contract/keeper.ts'
import { after } from '../../base/util/timer.ts'
import { Connection } from './connection.ts'
import { KeptTerminal } from './kept-terminal.ts'

/** A program draws a screen in many small steps: one notice is enough for all of them. */
const changeEveryMs = 200
/** How long a program has to end by itself when its terminal is gone. */
const hangUpMs = 5000

/** Holds the terminals of all `pty` agents, for as long as one of them runs or a client is connected. */
export class Keeper {
  readonly #terminals = new Map<string, KeptTerminal>()
  readonly #connections = new Set<Connection>()
  readonly #changed = new Set<string>()
  readonly #onUnneeded: () => void

  constructor(onUnneeded: () => void) {
    this.#onUnneeded = onUnneeded
  }

  accept(socket: Socket): void {
    this.#connections.add(new Connection(socket, this))
  }

  left(connection: Connection): void {
    this.#connections.delete(connection)
    this.#endIfUnneeded()
  }

  start(agent: string, plan: KeptPlan, size: Size): number {
    this.end(agent)
    // Says so at the end of a short while, in which all else that happens is part of it.
    const terminal = new KeptTerminal(
      plan,
      size,
      () => {
        if (this.#changed.has(agent)) return
        this.#changed.add(agent)
        after(changeEveryMs, () => {
          this.#changed.delete(agent)
          this.#announce({ event: 'changed', agent })
        })
      },
      (code) => {
        this.#announce({ event: 'exit', agent, code })
        this.#endIfUnneeded()
      },
    )
    this.#terminals.set(agent, terminal)
    return terminal.pid
  }

  find(agent: string): KeptTerminal {
    const terminal = this.#terminals.get(agent)
    if (terminal === undefined) throw new Error(`No terminal of ${agent} is here.`)
    return terminal
  }

  /** The exit code of its program; null if there is none. */
  end(agent: string): number | null {
    const terminal = this.#terminals.get(agent)
    if (terminal === undefined) return null
    this.hangUp(terminal)
    this.#terminals.delete(agent)
    this.#endIfUnneeded()
    return terminal.code
  }

  /** What a closed terminal does to its program, and more if that does not end it. */
  hangUp(terminal: KeptTerminal): void {
    terminal.signal('SIGHUP')
    after(hangUpMs, () => terminal.signal('SIGKILL'))
  }

  hangUpAll(): void {
    for (const terminal of this.#terminals.values()) terminal.signal('SIGHUP')
  }

  get #isNeeded(): boolean {
    return this.#connections.size > 0 || [...this.#terminals.values()].some(({ code }) => code === null)
  }

  #endIfUnneeded(): void {
    if (!this.#isNeeded) this.#onUnneeded()
  }

  #announce(event: KeeperEvent): void {
    for (const connection of this.#connections) if (connection.isWatching) connection.tell(event)
  }
}
