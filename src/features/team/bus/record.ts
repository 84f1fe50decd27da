import type { Actor } from '../../../contract/identity.ts'
import { type AnyNewRecord, newRecord, type RecordBody } from '../../../contract/record.ts'

type BusRecordType = 'event.published' | 'event.leased' | 'event.acked' | 'event.escalated' | 'event.pruned'

interface BusRecordContext {
  id: string
  at: number
  actor: Actor
  project: string
}

/** A record of the bus; the act of an agent is filed under that agent. */
export const busRecord = <T extends BusRecordType>(
  type: T,
  body: RecordBody<T>,
  context: BusRecordContext,
): AnyNewRecord => {
  const agent = context.actor.kind === 'agent' ? context.actor.id : null
  const cause = 'event' in body && typeof body.event === 'string' ? { cause: body.event } : {}
  return newRecord(type, body, { ...context, agent, ...cause }) as AnyNewRecord
}
