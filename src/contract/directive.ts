import { z } from 'zod'
import { Message } from './channel.ts'
import { Actor, AgentRef, Evidence } from './identity.ts'

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
export const Origin = Message.pick({ channel: true, sender: true, at: true, claimedAt: true })
export type Origin = z.infer<typeof Origin>

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
  /** Set for what came in on a channel: it is nobody's order, and needs no acknowledgement. */
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
