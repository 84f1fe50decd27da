import type { z } from 'zod'
import { isAlive } from '../../contract/agent.ts'
import type { Hello, Status, TailInput } from '../../contract/routes/daemon.ts'
import type { AnyRecord } from '../../contract/record.ts'
import { version } from '../../base/util/version.ts'
import type { Services } from '../services.ts'

export const hello = (id: string): Hello => ({ id, version, pid: process.pid })

export const status = ({ supervisor, inbox, log, since, damage }: Services): Status => ({
  pid: process.pid,
  version,
  since,
  agents: supervisor.agents.filter((agent) => isAlive(agent.state)).length,
  directives: inbox.openCount,
  accepted: inbox.acceptedCount,
  commits: log.commits,
  damage,
})

export const rebuild = async (services: Services): Promise<{ records: number; skipped: number[] }> => {
  const { log, inbox, channels, incoming, outbox, watches, bus } = services
  const rebuilt = await log.rebuild()
  inbox.reload()
  channels.reload()
  incoming.reload()
  outbox.reload()
  watches.reload()
  bus.reload()
  return rebuilt
}

/** A topic as it is, then as it grows. */
export async function* tail(
  { log }: Services,
  topic: string,
  input: z.infer<typeof TailInput>,
  signal: AbortSignal,
): AsyncGenerator<AnyRecord> {
  if (input.follow) yield* log.tail(topic, input.after, signal)
  const knownFloor = input.after === undefined ? log.bounds(topic).floor : 0
  let position = input.after ?? 0
  for (;;) {
    const page = log.readAfter(topic, position, undefined, knownFloor)
    if (page.length === 0 || signal.aborted) return
    yield* page
    position = page.at(-1)?.seq ?? position
  }
}
