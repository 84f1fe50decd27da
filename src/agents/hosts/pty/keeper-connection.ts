import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { ReinError } from '../../../contract/errors.ts'
import type { KeeperAnswers, KeeperEvent, KeeperMessage, KeeperRequest } from '../../../contract/keeper.ts'
import { FrameReader, messageFrame } from '../../../base/util/frames.ts'

const answerLimitMs = 5000

interface Waiting {
  resolve: (value: unknown) => void
  reject: (cause: Error) => void
}

export type Operation = keyof KeeperAnswers
export type Given<Op extends Operation> = Omit<Extract<KeeperRequest, { op: Op }>, 'op'>

/** One socket to the keeper, and what was asked on it. */
export class KeeperConnection {
  readonly #socket: Socket
  readonly #onEvent: (event: KeeperEvent) => void
  readonly #waiting = new Map<number, Waiting>()
  #lastId = 0
  #isEnding = false
  readonly closed: Promise<unknown>

  private constructor(socket: Socket, onEvent: (event: KeeperEvent) => void) {
    this.#socket = socket
    this.#onEvent = onEvent
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) if (frame.kind === 'message') this.#take(frame.value as KeeperMessage)
      } catch {
        socket.destroy()
      }
    })
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => socket.on('close', resolve)).then(() => this.#lost())
    socket.write(messageFrame({ id: 0, op: 'watch' }))
  }

  static async open(path: string, onEvent: (event: KeeperEvent) => void): Promise<KeeperConnection> {
    const socket = connect(path)
    await once(socket, 'connect')
    return new KeeperConnection(socket, onEvent)
  }

  async ask<Op extends Operation>(op: Op, given: Given<Op>): Promise<KeeperAnswers[Op]> {
    this.#lastId += 1
    const id = this.#lastId
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }))
    const late = setTimeout(() => this.#settle({ id, error: 'The keeper does not answer.' }), answerLimitMs)
    this.#socket.write(messageFrame({ id, op, ...given }))
    return (await answer.finally(() => clearTimeout(late))) as KeeperAnswers[Op]
  }

  /** As soon as everything that was asked is answered. */
  end(): void {
    this.#isEnding = true
    this.#endIfDone()
  }

  #take(message: KeeperMessage): void {
    if ('id' in message) this.#settle(message)
    else this.#onEvent(message)
  }

  #settle(message: Extract<KeeperMessage, { id: number }>): void {
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('error' in message) waiting?.reject(new ReinError('refused', message.error))
    else waiting?.resolve(message.ok)
    this.#endIfDone()
  }

  #endIfDone(): void {
    if (this.#isEnding && this.#waiting.size === 0) this.#socket.end()
  }

  #lost(): void {
    for (const id of this.#waiting.keys()) this.#settle({ id, error: 'The keeper of terminals has ended.' })
  }
}
