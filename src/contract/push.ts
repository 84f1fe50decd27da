import { z } from 'zod'
import type { NoticeEvent } from './notice-events.ts'
import type { Question } from './agent.ts'
import { defineRecords } from './record-kind.ts'

/** The human channel whose messages are pushed to paired browsers. */
export const pushChannel = 'web-push'

/** What a service worker gets, as JSON: all that it needs to show a notification. */
export interface PushMessage {
  /** `says`: somebody wrote on the channel; `test`: a person asked for it. */
  event: NoticeEvent | 'says' | 'test'
  title: string
  /** Names no tool and no text, unless `web.push_detail` is on. */
  body: string
  /** A notification takes the place of the one before it with the same tag. */
  tag: string
  /** Relative to the page. */
  url: string
  at: number
  question: { id: string; kind: Question['kind']; project: string; handle: string } | null
  /** Answers to the question that may be given without opening the page: only where it is shown whole, to a device that may answer. */
  actions: ('allow' | 'deny')[]
}

export const UnsubscribeReason = z
  .enum(['asked', 'gone', 'revoked', 'moved'])
  .describe('`gone`: the push service says so; `moved`: the browser was paired again, under another id')
export type UnsubscribeReason = z.infer<typeof UnsubscribeReason>

/** Endpoint and keys let anybody push who has them: they are in a file of their own, and in no record. */
export const pushRecords = defineRecords(
  'subscriptions',
  {
    /** `service`: the host of the push service. A device has one subscription: a later one replaces it. */
    'subscription.made': [1, z.object({ device: z.string(), service: z.string() })],
    'subscription.ended': [1, z.object({ device: z.string(), reason: UnsubscribeReason })],
  },
  { isClean: true },
)
