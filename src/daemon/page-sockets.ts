import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketServer } from 'ws'
import { maxFrameBytes, maxUnknown, maxUnknownBytes } from '../contract/socket-terms.ts'
import { PageConnection, type PageParts } from './page-connection.ts'

/** The connections of all tabs. */
export class PageSockets {
  readonly #parts: PageParts
  /** Not let in yet, oldest first. */
  readonly #unknown = new Set<Socket>()
  #server: Promise<WebSocketServer> | null = null

  constructor(parts: PageParts) {
    this.#parts = parts
  }

  /** An upgrade that has passed the gate. `onAdmitted`: a device has proven itself on it. */
  async accept(request: IncomingMessage, socket: Socket, head: Buffer, onAdmitted: () => void): Promise<void> {
    // Most daemons never have a page: its package is loaded with the first one.
    this.#server ??= import('ws').then(
      (ws) =>
        new ws.WebSocketServer({
          noServer: true,
          maxPayload: maxFrameBytes,
          perMessageDeflate: false,
          clientTracking: false,
        }),
    )
    const server = await this.#server
    if (socket.destroyed) return
    const admit = this.#watchUnknown(socket)
    const { origin = '' } = request.headers
    const admitted = (): void => {
      admit()
      onAdmitted()
    }
    server.handleUpgrade(request, socket, head, (ws) =>
      new PageConnection(ws, { origin, socket, onAdmitted: admitted }, this.#parts).open(),
    )
  }

  /** A client that nobody knows yet costs next to nothing, however many of them come and whatever they send. */
  #watchUnknown(socket: Socket): () => void {
    const [oldest] = this.#unknown
    if (oldest !== undefined && this.#unknown.size >= maxUnknown) oldest.destroy()
    const limit = socket.bytesRead + maxUnknownBytes
    const measure = (): void => void (socket.bytesRead > limit && socket.destroy())
    const admit = (): void => {
      this.#unknown.delete(socket)
      socket.off('data', measure)
    }
    this.#unknown.add(socket)
    socket.on('data', measure)
    socket.once('close', admit)
    return admit
  }
}
