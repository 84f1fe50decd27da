import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ReinError } from '../../../contract/errors.ts'
import type { KeeperAnswers, KeeperMessage, KeeperRequest } from '../../../contract/keeper.ts'
import { FrameReader, messageFrame } from '../../../util/frames.ts'

const answerLimitMs = 5000

interface Waiting {
  resolve: (value: unknown) => void
  reject: (cause: Error) => void
}

type Operation = keyof KeeperAnswers
type Given<Op extends Operation> = Omit<Extract<KeeperRequest, { op: Op }>, 'op'>

/** The daemon's one connection to the keeper; there is one only while an agent needs it. */
export class KeeperClient {
  readonly #path: string
  readonly #script: string
  #connection: Promise<Socket> | null = null
  #lastId = 0
  readonly #waiting = new Map<number, Waiting>()
  readonly #listeners = new Map<string, () => void>()

  /** `script` is the keeper's program. */
  constructor(path: string, script: string) {
    this.#path = path
    this.#script = script
  }

  /** Starts the keeper if none is there. */
  async ensure(): Promise<void> {
    await this.#connected().catch(() => this.#startKeeper())
    await this.#connected()
  }

  async ask<Op extends Operation>(op: Op, given: Given<Op>): Promise<KeeperAnswers[Op]> {
    const socket = await this.#connected()
    this.#lastId += 1
    const id = this.#lastId
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const late = setTimeout(() => this.#settle({ id, error: 'The keeper does not answer.' }), answerLimitMs)
    socket.write(messageFrame({ id, op, ...given }))
    return (await answer.finally(() => clearTimeout(late))) as KeeperAnswers[Op]
  }

  /** Calls back when something was drawn for this agent. Whoever is the last to stop that lets the keeper go. */
  onChange(agent: string, run: () => void): () => void {
    this.#listeners.set(agent, run)
    return () => {
      this.#listeners.delete(agent)
      if (this.#listeners.size === 0) this.close()
    }
  }

  close(): void {
    void this.#connection?.then((socket) => socket.end()).catch(() => undefined)
    this.#connection = null
  }

  #connected(): Promise<Socket> {
    this.#connection ??= this.#connect().catch((cause: unknown) => {
      this.#connection = null
      const { code, message } = cause as NodeJS.ErrnoException
      const isGone = code === 'ENOENT' || code === 'ECONNREFUSED'
      throw new ReinError(isGone ? 'not_running' : 'failed', `The keeper of terminals: ${message}`)
    })
    return this.#connection
  }

  async #connect(): Promise<Socket> {
    const socket = connect(this.#path)
    await once(socket, 'connect')
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      for (const frame of reader.push(chunk)) if (frame.kind === 'message') this.#take(frame.value as KeeperMessage)
    })
    socket.on('error', () => undefined)
    socket.on('close', () => this.#lost())
    socket.write(messageFrame({ id: 0, op: 'watch' }))
    return socket
  }

  /** It outlives the daemon, and has nothing of its environment. */
  async #startKeeper(): Promise<void> {
    const child = spawn(process.execPath, [this.#script, this.#path], {
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

  #take(message: KeeperMessage): void {
    if ('id' in message) this.#settle(message)
    else this.#listeners.get(message.agent)?.()
  }

  #settle(message: Extract<KeeperMessage, { id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('error' in message) waiting?.reject(new ReinError('refused', message.error))
    else waiting?.resolve(message.ok)
  }

  #lost(): void {
    this.#connection = null
    for (const id of this.#waiting.keys()) this.#settle({ id, error: 'The keeper of terminals has ended.' })
    for (const run of this.#listeners.values()) run()
  }
}
