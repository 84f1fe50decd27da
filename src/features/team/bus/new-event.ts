import type { Actor, AgentRef } from '../../../contract/identity.ts'
import type { BusEvent, EventPriority } from '../../../contract/team.ts'
import { checkText } from '../check-text.ts'
import { type AckTimes, dueOf } from './event.ts'
import { typeOf } from './types.ts'

export interface NewEvent {
  project: string
  type: string
  payload: string
  /** Default: the priority of its type. */
  priority?: EventPriority | undefined
  dedup?: string | undefined
  /** Its recipient; null for all watchers. */
  to: AgentRef | null
  once: boolean
  from: Actor
  /** The same id again is the same event. */
  id?: string | undefined
}

/** The event that is published now, if it may be. */
export const newEvent = (
  { project, type, payload, priority = typeOf(type).priority, dedup, to, once, from }: NewEvent,
  { id, at }: { id: string; at: number },
  limits: AckTimes & { maxPayloadBytes: number },
): BusEvent => {
  checkText(payload, 'payload', limits.maxPayloadBytes, 'Put it into a file and publish its path.')
  const { v } = typeOf(type)
  const delivery = once ? 'once' : 'each'
  const due = dueOf(priority, at, limits)
  return { id, project, type, v, priority, payload, from, to, delivery, dedup: dedup ?? null, at, due }
}
