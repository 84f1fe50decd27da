import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ReinError } from '../../../contract/errors.ts'
import type { KeeperAnswers } from '../../../contract/keeper.ts'
import { markCommand, serverMark } from '../../../base/util/lock-limit.ts'
import { type Given, KeeperConnection, type Operation } from './keeper-connection.ts'

/** The daemon's one connection to the keeper; there is one only while an agent needs it. */
export class KeeperClient {
  readonly #path: string
  readonly #script: string
  #connection: Promise<KeeperConnection> | null = null
  #starting: Promise<void> | null = null
  readonly #listeners = new Map<string, () => void>()

  /** `script` is the keeper's program. */
  constructor(path: string, script: string) {
    this.#path = path
    this.#script = script
  }

  /** Starts the keeper if none is there: one for all who ask at the same time. */
  async ensure(): Promise<void> {
    await this.#connected().catch(() => {
      this.#starting ??= this.#startKeeper().finally(() => (this.#starting = null))
      return this.#starting
    })
    await this.#connected()
  }

  async ask<Op extends Operation>(op: Op, given: Given<Op>): Promise<KeeperAnswers[Op]> {
    return (await this.#connected()).ask(op, given)
  }

  /** Calls back when something was drawn for this agent. Whoever is the last to stop that lets the keeper go. */
  onChange(agent: string, run: () => void): () => void {
    this.#listeners.set(agent, run)
    return () => {
      if (this.#listeners.get(agent) === run) this.#listeners.delete(agent)
      if (this.#listeners.size === 0) this.close()
    }
  }

  close(): void {
    void this.#connection?.then((connection) => connection.end()).catch(() => undefined)
    this.#connection = null
  }

  #connected(): Promise<KeeperConnection> {
    if (this.#connection !== null) return this.#connection
    const connecting = KeeperConnection.open(this.#path, ({ agent }) => this.#listeners.get(agent)?.())
    const connection = connecting.catch((cause: unknown) => {
      this.#forget(connection)
      const { code, message } = cause as NodeJS.ErrnoException
      const isGone = code === 'ENOENT' || code === 'ECONNREFUSED'
      throw new ReinError(isGone ? 'not_running' : 'failed', `The keeper of terminals: ${message}`)
    })
    this.#connection = connection
    void connecting
      .then(({ closed }) => closed)
      .then(
        () => this.#lost(connection),
        () => undefined,
      )
    return connection
  }

  /** It outlives the daemon, and has nothing of its environment. */
  async #startKeeper(): Promise<void> {
    const [command, args] = markCommand(serverMark(), process.execPath, [this.#script, this.#path])
    const child = spawn(command, args, {
      detached: true,
      cwd: '/',
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const ended = once(child, 'exit').then(() => ['it ended at once'])
    const [word] = (await Promise.race([once(child, 'message'), ended])) as [string]
    if (child.connected) child.disconnect()
    child.unref()
    if (word !== 'ready') throw new ReinError('failed', `The keeper of terminals could not start: ${word}.`)
  }

  /** Another one may be in use by now. */
  #forget(connection: Promise<KeeperConnection>): boolean {
    const isCurrent = this.#connection === connection
    if (isCurrent) this.#connection = null
    return isCurrent
  }

  #lost(connection: Promise<KeeperConnection>): void {
    if (this.#forget(connection)) for (const run of this.#listeners.values()) run()
  }
}
