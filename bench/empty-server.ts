import { createServer } from 'node:http'
import { serveRole } from './role.ts'

/** How often each hook event came. */
export type EventCounts = Record<string, number>

/** Answers every hook call at once with nothing: what any server behind the same hook client costs at least. */
export const emptyServer = (socket: string): void => {
  const counts: EventCounts = {}
  const server = createServer((request, response) => {
    const event = /^\/v1\/hooks\/\w+\/(\w+)/.exec(request.url ?? '')?.[1] ?? ''
    counts[event] = (counts[event] ?? 0) + 1
    request.resume().on('end', () => response.end('\nrein-end\n'))
  })
  server.listen(socket)
  serveRole((): EventCounts => counts)
}
