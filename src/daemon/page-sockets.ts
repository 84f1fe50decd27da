import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketServer } from 'ws'
import { maxFrameBytes, maxUnknown, maxUnknownBytes } from '../contract/socket-terms.ts'
import { PageConnection, type PageParts } from './page-connection.ts'
import { refuseUpgrade } from './refuse-upgrade.ts'

type Library = Pick<typeof import('ws'), 'WebSocketServer'>

/** The connections of all tabs. */
export class PageSockets {
  readonly #parts: PageParts
  readonly #load: () => Promise<Library>
  /** Not let in yet, oldest first. */
  readonly #unknown = new Set<Socket>()
  #server: Promise<WebSocketServer> | null = null
  #hasFailed = false

  /** Most daemons never have a page: its package is loaded with the first one. */
  constructor(parts: PageParts, load: () => Promise<Library> = () => import('ws')) {
    this.#parts = parts
    this.#load = load
  }

  /** An upgrade that has passed the gate. `onProven`: a device has proven itself on it. */
  async accept(request: IncomingMessage, socket: Socket, head: Buffer, onProven: () => void): Promise<void> {
    const server = await this.#open()
    if (socket.destroyed) return
    if (server === null) return refuseUpgrade(socket, 503)
    const release = this.#watchUnknown(socket)
    const { origin = '' } = request.headers
    const proven = (): void => {
      release()
      onProven()
    }
    server.handleUpgrade(request, socket, head, (ws) =>
      new PageConnection(ws, { origin, socket, onProven: proven }, this.#parts).open(),
    )
  }

  /** Null while the package cannot be loaded: an upgrade of Rein under a running daemon can remove it. */
  async #open(): Promise<WebSocketServer | null> {
    this.#server ??= this.#load().then(startServer)
    try {
      const server = await this.#server
      this.#hasFailed = false
      return server
    } catch (cause) {
      // The next connection tries again.
      this.#server = null
      // Any program of this machine can connect: it must not fill the log.
      if (!this.#hasFailed) this.#parts.daemon.base.troubleIn('page')(cause)
      this.#hasFailed = true
      return null
    }
  }

  /** A client that nobody knows yet costs next to nothing, however many of them come and whatever they send. */
  #watchUnknown(socket: Socket): () => void {
    const [oldest] = this.#unknown
    if (oldest !== undefined && this.#unknown.size >= maxUnknown) {
      // Its `close` comes later, and until then others may come.
      this.#unknown.delete(oldest)
      oldest.destroy()
    }
    const limit = socket.bytesRead + maxUnknownBytes
    const measure = (): void => void (socket.bytesRead > limit && socket.destroy())
    const release = (): void => {
      this.#unknown.delete(socket)
      socket.off('data', measure)
    }
    this.#unknown.add(socket)
    socket.on('data', measure)
    socket.once('close', release)
    return release
  }
}

const startServer = ({ WebSocketServer: Server }: Library): WebSocketServer => {
  const server = new Server({
    noServer: true,
    maxPayload: maxFrameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  })
  // Its own answers lack the headers that every answer of the port has.
  return server.on('wsClientError', (_, socket) => refuseUpgrade(socket, 400))
}
