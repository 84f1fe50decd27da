import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { pageHeaders } from './page-headers.ts'

/** Answers an upgrade that is not made. The connection ends with that, also if its client keeps its own end open. */
export const refuseUpgrade = (socket: Duplex, status: 400 | 403 | 503): void => {
  const headers = Object.entries({ ...pageHeaders, connection: 'close', 'content-length': '0' })
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`)
}
