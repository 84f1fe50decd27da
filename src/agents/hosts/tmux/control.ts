import { setTimeout as delay } from 'node:timers/promises'
import { ReinError } from '../../../contract/errors.ts'
import { ControlConnection } from './control-connection.ts'
import { runTmux } from './server.ts'

/** A session that only holds the control client: agents have sessions of their own. */
const controlSession = 'rein-control'
/** How long tmux may take to see that a killed client is gone. */
const [lookMs, mostLooks] = [20, 100]

/** One control-mode client for everything that happens often: a command costs a tenth of a millisecond, not a process. */
export class ControlClient {
  readonly #socket: string
  #connection: Promise<ControlConnection> | null = null
  #activity = new Map<string, string>()
  readonly #listeners = new Map<string, () => void>()
  #lastTurn: Promise<unknown> = Promise.resolve()

  constructor(socket: string) {
    this.#socket = socket
  }

  /** Runs one tmux command line; its lines of output, or its complaint as an error. */
  async run(command: string): Promise<string[]> {
    return (await this.#connected()).run(command)
  }

  /**
   * One after the other, what starts or ends sessions and clients: tmux 3.3 crashes, and every agent with it,
   * when it tells of such a change to a control client that is just about to attach.
   */
  inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(act)
    this.#lastTurn = turn.catch(() => undefined)
    return turn
  }

  /** Calls back when something was drawn in this session; returns how to stop. */
  onActivity(session: string, run: () => void): () => void {
    this.#listeners.set(session, run)
    return () => {
      if (this.#listeners.get(session) === run) this.#listeners.delete(session)
    }
  }

  /** Takes its own session along: a tmux server without agents ends. */
  async close(): Promise<void> {
    const connection = await this.#connection?.catch(() => null)
    this.#connection = null
    await connection?.end(`kill-session -t =${controlSession}`)
  }

  #connected(): Promise<ControlConnection> {
    if (this.#connection !== null) return this.#connection
    const connection = this.inTurn(() => this.#connect())
    this.#connection = connection
    void connection
      .then(({ closed }) => closed)
      .then(
        () => this.#lost(connection),
        () => this.#forget(connection),
      )
    return connection
  }

  async #connect(): Promise<ControlConnection> {
    // A server that has ended took all agents along: none is started to look for them.
    const sessions = (await this.#sessions()).split('\n')
    if (sessions.includes(controlSession)) await this.#endStale()
    else await runTmux(this.#socket, 'new-session', '-d', '-s', controlSession, '-x', '80', '-y', '24', 'exec cat')
    const attach = ['-S', this.#socket, '-C', 'attach-session', '-t', `=${controlSession}`]
    return ControlConnection.open(attach, (activity) => this.#tell(activity))
  }

  /** The client of a daemon that was killed may be kept by tmux for ever. */
  async #endStale(): Promise<void> {
    for (const pid of await this.#controlClients()) endClient(pid)
    // The next one attaches when tmux has told of it that they are gone.
    for (let looks = 0; looks < mostLooks && (await this.#controlClients()).length > 0; looks += 1) await delay(lookMs)
  }

  async #controlClients(): Promise<number[]> {
    const which = '#{?client_control_mode,#{client_pid},}'
    const listed = await runTmux(this.#socket, 'list-clients', '-t', `=${controlSession}`, '-F', which)
    return listed
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 1)
  }

  #sessions(): Promise<string> {
    return runTmux(this.#socket, 'list-sessions', '-F', '#{session_name}').catch((cause: Error) => {
      throw isGone(cause.message) ? new ReinError('not_running', cause.message) : cause
    })
  }

  #tell(sessions: string): void {
    const before = this.#activity
    this.#activity = new Map(sessions.split(' ').map((one) => one.split('=') as [string, string]))
    for (const [session, run] of this.#listeners) if (this.#activity.get(session) !== before.get(session)) run()
  }

  /** Another one may be in use by now. */
  #forget(connection: Promise<ControlConnection>): boolean {
    const isCurrent = this.#connection === connection
    if (isCurrent) this.#connection = null
    return isCurrent
  }

  #lost(connection: Promise<ControlConnection>): void {
    if (this.#forget(connection)) for (const run of this.#listeners.values()) run()
  }
}

const endClient = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    return
  }
}

/** A server that cannot be reached for another reason may hold agents that live. */
export const isGone = (complaint: string): boolean =>
  /no server running|error connecting to .*\((No such file or directory|Connection refused)\)/.test(complaint)
