import { ReinError } from '../../../contract/errors.ts'
import type { Actor, AgentRef } from '../../../contract/identity.ts'
import type { BusEvent, EventPriority } from '../../../contract/team.ts'
import { type AckTimes, dueOf } from './event.ts'
import { typeOf } from './types.ts'

export interface NewEvent {
  project: string
  type: string
  payload: string
  /** As its type says, if left out. */
  priority?: EventPriority | undefined
  dedup?: string | undefined
  /** The one it is for; null: everybody who watches. */
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
  checkPayload(payload, limits.maxPayloadBytes)
  const { v } = typeOf(type)
  const delivery = once ? 'once' : 'each'
  const due = dueOf(priority, at, limits)
  return { id, project, type, v, priority, payload, from, to, delivery, dedup: dedup ?? null, at, due }
}

const checkPayload = (payload: string, maxBytes: number): void => {
  if (/\p{Surrogate}/u.test(payload)) throw new ReinError('invalid_text', 'The payload is not valid Unicode.')
  const bytes = Buffer.byteLength(payload)
  if (bytes <= maxBytes) return
  throw new ReinError(
    'text_too_large',
    `The payload has ${bytes} bytes; ${maxBytes} are possible.`,
    'Put it into a file and publish its path.',
  )
}
