import type { Socket } from 'node:net'
import type { KeeperMessage, KeeperRequest, Size } from '../contract/keeper.ts'
import { bytesFrame, type Frame, FrameReader, messageFrame } from '../util/frames.ts'
import type { Keeper } from './keeper.ts'
import type { KeptTerminal, Viewer } from './kept-terminal.ts'

type Operations = { [Op in KeeperRequest['op']]: (request: Extract<KeeperRequest, { op: Op }>) => unknown }

/** A view that does not read what it is sent is given up. */
const maxBehind = 16 * 1024 * 1024

/** One client: the daemon, or a person's view of a terminal. */
export class Connection implements Viewer {
  readonly #socket: Socket
  readonly #keeper: Keeper
  #view: { agent: string; terminal: KeptTerminal; isOwner: boolean } | null = null
  size: Size = { columns: 80, rows: 24 }
  isWatching = false

  readonly #operations: Operations = {
    start: ({ agent, plan, size }) => ({ pid: this.#keeper.start(agent, plan, size) }),
    read: async ({ agent }) => ({ text: await this.#keeper.find(agent).read() }),
    keys: ({ agent, keys }) => this.#keeper.find(agent).press(keys),
    paste: ({ agent, text }) => this.#keeper.find(agent).paste(text),
    condition: ({ agent }) => {
      const { code, typedMsAgo } = this.#keeper.find(agent)
      return { isDead: code !== null, typedMsAgo }
    },
    end: ({ agent }) => ({ code: this.#keeper.end(agent) }),
    watch: () => {
      this.isWatching = true
    },
    attach: (request) => this.#attach(request),
    resize: ({ size }) => {
      this.size = size
      this.#view?.terminal.activate(this)
    },
  }

  constructor(socket: Socket, keeper: Keeper) {
    this.#socket = socket
    this.#keeper = keeper
    const reader = new FrameReader()
    socket.on('data', (chunk: Buffer) => {
      try {
        for (const frame of reader.push(chunk)) this.#take(frame)
      } catch {
        socket.destroy()
      }
    })
    socket.on('error', () => undefined)
    socket.on('close', () => this.#closed())
  }

  show(bytes: Buffer): void {
    if (this.#socket.writableLength > maxBehind) this.#socket.destroy()
    else this.#socket.write(bytesFrame(bytes))
  }

  ended(code: number): void {
    this.tell({ event: 'exit', agent: this.#view?.agent ?? '', code })
    this.#socket.end()
  }

  tell(message: KeeperMessage): void {
    this.#socket.write(messageFrame(message))
  }

  #take(frame: Frame): void {
    if (frame.kind === 'message') void this.#answer(frame.value as KeeperRequest & { id: number })
    else this.#view?.terminal.type(this, frame.bytes)
  }

  async #answer(request: KeeperRequest & { id: number }): Promise<void> {
    const { id } = request
    try {
      const carryOut = this.#operations[request.op] as (request: KeeperRequest) => unknown
      this.tell({ id, ok: (await carryOut(request)) ?? null })
    } catch (cause) {
      this.tell({ id, error: (cause as Error).message })
    }
  }

  #attach({ agent, size, isOwner }: Extract<KeeperRequest, { op: 'attach' }>): void {
    const terminal = this.#keeper.find(agent)
    this.size = size
    this.#view = { agent, terminal, isOwner }
    terminal.attach(this)
  }

  #closed(): void {
    this.#view?.terminal.detach(this)
    if (this.#view?.isOwner === true) this.#keeper.hangUp(this.#view.terminal)
    this.#keeper.left(this)
  }
}
