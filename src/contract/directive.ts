import { z } from 'zod'
import { Message } from './channel.ts'
import { Actor, AgentRef, Evidence } from './identity.ts'
import { defineRecords } from './record-kind.ts'

export const priorities = ['low', 'normal', 'high', 'urgent'] as const
export const Priority = z.enum(priorities)
export type Priority = z.infer<typeof Priority>

export const receiptStates = [
  'queued',
  'held',
  'offered',
  'placed',
  'seen',
  'acked',
  'expired',
  'cancelled',
  'failed',
] as const
export const ReceiptState = z.enum(receiptStates)
export type ReceiptState = z.infer<typeof ReceiptState>

/**
 * How the text was handed to the CLI: each way leaves another kind of entry in the conversation.
 * `prompt` is the text as a prompt of its own, for CLIs whose hooks carry nothing there;
 * `unwritten` is context that this version of the CLI gives to its model without writing it down.
 */
export const OfferVia = z.enum(['context', 'unwritten', 'feedback', 'denial', 'read', 'prompt'])
export type OfferVia = z.infer<typeof OfferVia>

export const DirectiveType = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/)

/** Where the text of a message from outside came from, by the endpoint that took it in. */
export const ChannelOrigin = Message.pick({ channel: true, sender: true, at: true, claimedAt: true })
export type ChannelOrigin = z.infer<typeof ChannelOrigin>

/** It names the agent in a room. */
export const RoomOrigin = z.object({ room: z.string(), post: z.string(), n: z.number(), author: Actor, at: z.number() })
export type RoomOrigin = z.infer<typeof RoomOrigin>

/** Something is unread: in rooms, or on the bus. All that is there up to record `upTo` is told by this one notice. */
export const NoticeOrigin = z.object({
  upTo: z.number(),
  /** The author of its most urgent part, and whether that part must not wait. */
  by: z.enum(['person', 'agent', 'channel', 'rein']),
  isPressing: z.boolean(),
  /** The rooms and the priorities that it names: what comes later there is told by it, too. */
  about: z.array(z.string()),
})
export type NoticeOrigin = z.infer<typeof NoticeOrigin>

export const Origin = z.union([ChannelOrigin, RoomOrigin, NoticeOrigin])
export type Origin = z.infer<typeof Origin>

/** The channel by which its text came in from outside, if it did. */
export const channelOf = (origin: Origin): string | null => {
  if ('channel' in origin) return origin.channel
  return 'room' in origin && origin.author.kind === 'channel' ? origin.author.name : null
}

/** The message itself: what was accepted, never changed afterwards. */
export const Directive = z.object({
  id: z.string(),
  agent: AgentRef,
  from: z.string(),
  sender: Actor,
  type: DirectiveType,
  priority: Priority,
  text: z.string(),
  nonce: z.string(),
  acceptedAt: z.number(),
  expiresAt: z.number().nullable(),
  /** Set for what came in on a channel or from a room, and for notices: it needs no acknowledgement. */
  origin: Origin.optional(),
})
export type Directive = z.infer<typeof Directive>

export const ReceiptStep = z.object({
  state: ReceiptState,
  at: z.number(),
  reason: z.string().optional(),
  attempt: z.number().optional(),
  via: OfferVia.optional(),
  parts: z.array(z.number()).optional(),
  note: z.string().optional(),
  evidence: Evidence.optional(),
})
export type ReceiptStep = z.infer<typeof ReceiptStep>

export const Receipt = z.object({
  id: z.string(),
  handle: z.string(),
  state: ReceiptState,
  steps: z.array(ReceiptStep),
})
export type Receipt = z.infer<typeof Receipt>

export const directiveRecords = defineRecords(
  'directives',
  {
    'directive.accepted': [1, z.object({ directive: Directive })],
    'directive.offered': [
      1,
      z.object({ attempt: z.number(), via: OfferVia, parts: z.array(z.number()), partCount: z.number() }),
    ],
    'directive.placed': [1, z.object({ evidence: Evidence })],
    'directive.seen': [1, z.object({ evidence: Evidence })],
    'directive.acked': [1, z.object({ note: z.string().optional(), evidence: Evidence })],
    'directive.requeued': [1, z.object({ reason: z.string(), evidence: Evidence.optional() })],
    'directive.held': [1, z.object({ reason: z.string() })],
    'directive.expired': [1, z.object({})],
    'directive.cancelled': [1, z.object({})],
    'directive.failed': [1, z.object({ reason: z.string() })],
  },
  { isClean: true },
)
