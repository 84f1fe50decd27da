import type { z } from 'zod'
import { isAlive } from '../../contract/agent.ts'
import type * as api from '../../contract/api.ts'
import type { AnyRecord } from '../../contract/record.ts'
import type { Hello, Status } from '../../contract/api-types.ts'
import { version } from '../../util/version.ts'
import type { Services } from '../services.ts'

export const hello = (id: string): Hello => ({ id, version, pid: process.pid })

export const status = ({ supervisor, inbox, log, since }: Services): Status => ({
  pid: process.pid,
  version,
  since,
  agents: supervisor.agents.filter((agent) => isAlive(agent.state)).length,
  directives: inbox.openCount,
  accepted: inbox.acceptedCount,
  commits: log.commits,
})

export const rebuild = async (services: Services): Promise<{ records: number }> => {
  const { log, inbox, channels, incoming, outbox, watches, bus } = services
  const records = await log.rebuild()
  inbox.reload()
  channels.reload()
  incoming.reload()
  outbox.reload()
  watches.reload()
  bus.reload()
  return { records }
}

/** A topic as it is, then as it grows. */
export async function* tail(
  { log }: Services,
  topic: string,
  input: z.infer<typeof api.TailInput>,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  let position = input.after ?? log.bounds(topic).floor
  if (input.follow) yield* log.tail(topic, position, signal)
  for (;;) {
    const page = log.readAfter(topic, position)
    if (page.length === 0 || signal.aborted) return
    yield* page
    position = page.at(-1)?.seq ?? position
  }
}
