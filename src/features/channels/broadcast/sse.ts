import type { IncomingMessage, ServerResponse } from 'node:http'
import { ReinError } from '../../../contract/errors.ts'
import { onBeat } from '../../../base/util/beat.ts'
import type { Broadcast } from './broadcast.ts'
import type { Wanted } from './follow.ts'
import { sinkOf } from './sink.ts'

/** Shorter than what a proxy takes for a dead connection. */
const heartbeatMs = 15_000
const heartbeat = ':\n\n'

/** Answers with an event stream of turns; one that was broken off and comes back goes on where it was. */
export const streamTurns = (
  broadcast: Broadcast,
  request: IncomingMessage,
  response: ServerResponse,
  { after, agent }: Wanted,
): void => {
  const position = lastEventId(request) ?? after
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }).flushHeaders()
  const subscription = broadcast.subscribe(
    sinkOf(response, ({ event }) => event),
    agent,
  )
  const calm = onBeat(heartbeatMs, () => {
    if (response.writableLength === 0) response.write(heartbeat)
  })
  response.on('error', () => response.destroy())
  response.on('close', () => {
    calm()
    subscription.leave()
  })
  subscription.start(position)
}

const lastEventId = ({ headers }: IncomingMessage): number | null => {
  const id = headers['last-event-id']
  if (id === undefined || id === '') return null
  if (/^\d{1,15}$/.test(String(id))) return Number(id)
  throw new ReinError('usage', `Last-Event-ID is "${String(id)}".`, 'Send the id of the last event, a number.')
}
