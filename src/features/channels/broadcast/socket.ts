import { createServer, type Server, type Socket } from 'node:net'
import { ReinError } from '../../../contract/errors.ts'
import { parseObject } from '../../../base/util/json.ts'
import { LineSplitter } from '../../../base/util/line-splitter.ts'
import { after } from '../../../base/util/timer.ts'
import type { Broadcast } from './broadcast.ts'
import { sinkOf } from './sink.ts'

/** So long nothing is sent to a new subscriber: it may want to say from where. */
const patienceMs = 100
/** For the last word to one that was not understood, and may not be listening. */
const goodbyeMs = 1_000
/** More than a subscriber has to say. */
const maxSaid = 4096

/** `output.sock`: every turn as a line of JSON, from now on, or after the position in the subscriber's `{"after": SEQ}`. */
export const broadcastServer = (broadcast: Broadcast): Server =>
  // A subscriber that has nothing more to say may still listen.
  createServer({ allowHalfOpen: true }, (socket) => admit(broadcast, socket))

const admit = (broadcast: Broadcast, socket: Socket): void => {
  const subscription = broadcast.subscribe(sinkOf(socket, ({ json }) => json))
  const calm = after(patienceMs, () => subscription.start(null))
  const said = new LineSplitter()
  const hear = (chunk: Buffer): void => {
    for (const line of said.push(chunk)) if (line.trim() !== '') hearLine(line)
  }
  const hearLine = (line: string): void => {
    const position = positionIn(line)
    if (socket.writableEnded) return
    if (position !== null) return subscription.start(position)
    subscription.leave()
    socket.end(`${JSON.stringify(notUnderstood.toBody())}\n`)
    after(goodbyeMs, () => socket.destroy())
  }
  socket.on('data', (chunk: Buffer) => (socket.bytesRead > maxSaid ? socket.destroy() : hear(chunk)))
  socket.on('end', () => {
    hear(Buffer.from('\n'))
    subscription.finish()
  })
  socket.on('finish', () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    calm()
    subscription.leave()
  })
}

const notUnderstood = new ReinError('usage', 'Not understood.', 'Say nothing, or one line: {"after": SEQ}')

const positionIn = (line: string): number | null => {
  const position = parseObject(line)?.['after']
  return typeof position === 'number' && Number.isSafeInteger(position) && position >= 0 ? position : null
}
