import { z } from 'zod'
import { noticeEvents } from './notice-events.ts'

/** Something about an agent that a person wants to hear of while they look elsewhere. */
export const Notice = z.object({
  event: z.enum(noticeEvents),
  handle: z.string(),
  project: z.string(),
  at: z.number(),
  /** What is asked, or why it ended: the agent's own words, which a lock screen must not show unless that is wanted. */
  what: z.string(),
})
export type Notice = z.infer<typeof Notice>
