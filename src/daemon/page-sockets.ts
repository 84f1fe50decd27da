import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketServer } from 'ws'
import { maxFrameBytes } from '../contract/socket-terms.ts'
import { PageConnection, type PageParts } from './page-connection.ts'

/** The connections of all tabs. */
export class PageSockets {
  readonly #parts: PageParts
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
    const { origin = '' } = request.headers
    server.handleUpgrade(request, socket, head, (ws) =>
      new PageConnection(ws, { origin, socket, onAdmitted }, this.#parts).open(),
    )
  }
}
