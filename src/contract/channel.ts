import { z } from 'zod'
import { channelPattern } from './handle.ts'
import { AgentRef } from './identity.ts'
import { defineRecords } from './record-kind.ts'

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
  /** Outgoing messages are kept until a program has taken them, not written to a FIFO. */
  isKept: z.boolean().default(false),
  /** The permitted senders, as the endpoint names them; null: every sender that is admitted. */
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

/** An incoming message: sender and time come from the endpoint; `claimedAt` and `meta` are claims of the sender. */
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

/** An outgoing message, and the message that it answers. */
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

const outgoingStates = ['pending', 'delivered', 'skipped', 'dead'] as const
export const OutgoingState = z.enum(outgoingStates)
export type OutgoingState = z.infer<typeof OutgoingState>

export const channelRecords = defineRecords('channels', {
  /** A channel as it is from now on. */
  'channel.set': [1, z.object({ channel: Channel })],
  'channel.removed': [1, z.object({ name: ChannelName })],
  /** Where messages go whose channel has no route of its own. */
  'channel.default': [1, z.object({ route: Route.nullable() })],
})

export const messageRecords = defineRecords(
  'messages',
  {
    'message.received': [1, z.object({ message: Message })],
    /** It is in the inbox of this agent, under its own id; or in this room, and `agent` is empty. */
    'message.routed': [1, z.object({ message: z.string(), agent: z.string(), room: z.string().optional() })],
    /** It answered a question of an agent, or tried to. */
    'message.answered': [1, z.object({ message: z.string() })],
    /** A person withdrew it while it waited for an agent. */
    'message.dropped': [1, z.object({ message: z.string() })],
    'message.sent': [1, z.object({ outgoing: Outgoing })],
    /** A program has it, and is to say what became of it. */
    'message.lent': [1, z.object({ until: z.number() })],
    'message.delivered': [1, z.object({ by: z.string() })],
    /** Nobody was to get it any more; it is not tried again. */
    'message.skipped': [1, z.object({ reason: z.string() })],
    'message.failed': [1, z.object({ reason: z.string(), attempt: z.number(), until: z.number() })],
    'message.dead': [1, z.object({ reason: z.string() })],
    'message.retried': [1, z.object({})],
  },
  { isClean: true },
)

export const adapterRecords = defineRecords('adapters', {
  'adapter.set': [1, z.object({ adapter: AdapterEntry })],
  'adapter.removed': [1, z.object({ name: ChannelName })],
})
