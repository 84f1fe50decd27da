import { z } from 'zod'
import { channelPattern } from './handle.ts'
import { AgentRef } from './identity.ts'

export const ChannelName = z.string().regex(channelPattern)

/** Whether agents may get it whose tools run without asking. */
const allowsBypass = z.boolean()
/** Where what comes in on a channel goes: to an agent, or into the room of this key. */
export const Route = z.union([
  z.object({ agent: AgentRef, allowsBypass }),
  z.object({ room: z.string(), allowsBypass }),
])
export type Route = z.infer<typeof Route>

/** How a webhook proves who sent it. */
export const signatures = ['github', 'slack'] as const
export const Signature = z.enum(signatures)
export type Signature = z.infer<typeof Signature>

/** A named way in and out, as the user set it up. A FIFO alone makes one that has only its name. */
export const Channel = z.object({
  name: ChannelName,
  /** A person is at the other end: gets the questions of its agents, and may answer them. */
  isHuman: z.boolean().default(false),
  /** What is sent out is kept until a program has taken it over, not written to a FIFO. */
  isKept: z.boolean().default(false),
  /** Who may write, as the endpoint names them; null: whoever gets in. */
  senders: z.array(z.string()).nullable().default(null),
  route: Route.nullable().default(null),
  signature: Signature.nullable().default(null),
  /** A token of an earlier version is no longer valid; of this first one none is given out. */
  tokenVersion: z.number().default(1),
})
export type Channel = z.infer<typeof Channel>

/** The way it came: by `socket` from any program of this user's, a command as well as an adapter. */
export const MessageVia = z.enum(['fifo', 'http', 'socket'])
export type MessageVia = z.infer<typeof MessageVia>

/** What came in: whose and when is what the endpoint says; `claimedAt` and `meta` are the sender's words. */
export const Message = z.object({
  id: z.string(),
  channel: ChannelName,
  text: z.string(),
  sender: z.string().nullable(),
  via: MessageVia,
  at: z.number(),
  claimedAt: z.number().nullable(),
  meta: z.record(z.string(), z.unknown()),
})
export type Message = z.infer<typeof Message>

/** What goes out, and the message that it answers. */
export const Outgoing = z.object({
  id: z.string(),
  channel: ChannelName,
  text: z.string(),
  /** The agent that said it; null for a person or Rein itself. */
  from: AgentRef.nullable(),
  at: z.number(),
  replyTo: Message.pick({ id: true, sender: true, meta: true }).nullable(),
})
export type Outgoing = z.infer<typeof Outgoing>

/** A program between a channel and something outside, as the user wants it to run. */
export const AdapterEntry = z.object({
  name: ChannelName,
  kind: z.string(),
  /** The file that says what it does. */
  config: z.string(),
})
export type AdapterEntry = z.infer<typeof AdapterEntry>

const outgoingStates = ['pending', 'delivered', 'dead'] as const
export const OutgoingState = z.enum(outgoingStates)
export type OutgoingState = z.infer<typeof OutgoingState>
