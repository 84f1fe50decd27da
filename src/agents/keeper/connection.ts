import type { Socket } from 'node:net'
import type { KeeperMessage, KeeperRequest, Size } from '../../contract/keeper.ts'
import { bytesFrame, type Frame, FrameReader, messageFrame } from '../../base/util/frames.ts'
import { isObject } from '../../base/util/json.ts'
import type { Keeper } from './keeper.ts'
import type { KeptTerminal, Viewer } from './kept-terminal.ts'

type Operations = { [Op in KeeperRequest['op']]: (request: Extract<KeeperRequest, { op: Op }>) => unknown }

/** A view that does not read what it is sent misses what comes then, and gets a new picture when it reads again. */
const maxBehind = 4 * 1024 * 1024
/** No screen is larger. */
const maxSide = 2000

/** One client: the daemon, or a person's view of a terminal. */
export class Connection implements Viewer {
  readonly #socket: Socket
  readonly #keeper: Keeper
  #view: { agent: string; terminal: KeptTerminal; isOwner: boolean } | null = null
  size: Size = { columns: 80, rows: 24 }
  isWatching = false
  #isBehind = false

  readonly #operations: Operations = {
    start: ({ agent, plan, size }) => ({ pid: this.#keeper.start(agent, plan, possible(size)) }),
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
    attach: (request) => {
      if (this.#view !== null) throw new Error('This is a view already.')
      const terminal = this.#keeper.find(request.agent)
      this.size = possible(request.size)
      this.#view = { agent: request.agent, terminal, isOwner: request.isOwner }
      terminal.attach(this)
    },
    resize: ({ size }) => {
      this.size = possible(size)
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
    socket.on('close', () => {
      this.#view?.terminal.detach(this)
      if (this.#view?.isOwner === true) this.#keeper.hangUp(this.#view.terminal)
      this.#keeper.left(this)
    })
  }

  show(bytes: Buffer): void {
    if (this.#isBehind) return
    this.#socket.write(bytesFrame(bytes))
    if (this.#socket.writableLength <= maxBehind) return
    this.#isBehind = true
    this.#socket.once('drain', () => {
      this.#isBehind = false
      this.#view?.terminal.showAgain(this)
    })
  }

  ended(code: number): void {
    this.tell({ event: 'exit', agent: this.#view?.agent ?? '', code })
    this.#socket.end()
  }

  tell(message: KeeperMessage): void {
    this.#socket.write(messageFrame(message))
  }

  #take(frame: Frame): void {
    if (frame.kind === 'bytes') return this.#view?.terminal.type(this, frame.bytes)
    if (!isObject(frame.value)) throw new Error('This is no request.')
    void this.#answer(frame.value as unknown as KeeperRequest & { id: number })
  }

  async #answer(request: KeeperRequest & { id: number }): Promise<void> {
    const { id } = request
    try {
      if (!Object.hasOwn(this.#operations, request.op)) throw new Error(`There is no request ${request.op}.`)
      const carryOut = this.#operations[request.op] as (request: KeeperRequest) => unknown
      this.tell({ id, ok: (await carryOut(request)) ?? null })
    } catch (cause) {
      this.tell({ id, error: (cause as Error).message })
    }
  }
}

const possible = (size: Size): Size => {
  const isPossible = [size.columns, size.rows].every((side) => Number.isInteger(side) && side > 0 && side <= maxSide)
  if (!isPossible) throw new Error('No terminal has this size.')
  return size
}
