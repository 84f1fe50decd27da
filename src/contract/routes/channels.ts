import { z } from 'zod'
import { AdapterEntry, ChannelName, Outgoing, OutgoingState, Signature } from '../channel.ts'
import { LogLine } from '../record.ts'
import { TurnGap, TurnLine } from '../turn.ts'
import { TailInput } from './daemon.ts'
import { HereInput, time } from './fields.ts'
import { route, type Routes } from './route.ts'

export const ChannelOutput = z.object({
  name: z.string(),
  isHuman: z.boolean().describe('gets the questions of its agents, and may answer them'),
  isKept: z.boolean().describe('outgoing messages are kept until a program has taken them'),
  senders: z.array(z.string()).nullable().describe('who may write; null: every sender'),
  route: z
    .object({
      handle: z.string().nullable().describe('the agent that gets it; null: a room does'),
      room: z.string().nullable().describe('the room that gets it; null: an agent does'),
      project: z.string(),
      allowsBypass: z.boolean(),
    })
    .nullable()
    .describe('where what comes in goes; null: nowhere, or to the default'),
  signature: Signature.nullable().describe('how webhooks prove who sent them'),
  ways: z.array(z.enum(['in-fifo', 'out-fifo'])).describe('FIFOs that are there now'),
  held: z.number().describe('messages that wait for a place to go'),
  reason: z.string().nullable().describe('why they wait'),
  pending: z.number().describe('messages that wait to leave'),
  dead: z.number().describe('messages that could not be delivered'),
  refused: z.number().describe('lines of its FIFO that became no message since the daemon started'),
  refusal: z.string().nullable().describe('why the last of them did not'),
})
export const ChannelsOutput = z.object({
  channels: z.array(ChannelOutput),
  unused: z
    .array(z.object({ file: z.string(), reason: z.string(), refused: z.number() }))
    .describe('files that have the name of a FIFO and cannot be used, and how many lines were refused there'),
  fallback: ChannelOutput.shape.route.describe('where what has no route of its own goes'),
})
export const CreateChannelInput = z.object({
  name: ChannelName,
  isHuman: z.boolean().optional(),
  isKept: z.boolean().optional(),
  senders: z.array(z.string().min(1).max(200)).max(1000).nullable().optional(),
})
/** Without an agent: no route. */
export const RouteInput = HereInput.extend({
  /** An agent, or a room as `room:NAME` or `room:PROJECT/NAME`. */
  target: z.string().min(1).nullable(),
  allowsBypass: z.boolean().default(false),
})
export const ReceiveInput = z.object({
  content: z.string(),
  ts: z.number().optional().describe('when the sender says it was written; milliseconds or seconds since 1970'),
  meta: z.record(z.string(), z.unknown()).optional(),
  sender: z.string().max(200).optional(),
  key: z.string().min(1).max(200).optional().describe('the same key again is the same message'),
})
export const ReceiveOutput = z.object({
  id: z.string(),
  state: z
    .enum(['routed', 'answered', 'held'])
    .describe('in an inbox or a room, taken as an answer to a question, or held'),
  agent: z.string().nullable().describe('handle of the agent that gets it'),
  room: z.string().nullable().describe('name of the room that it was posted in'),
  reason: z.string().nullable().describe('why it is held'),
})
export const SendOutInput = z.object({ text: z.string().min(1), replyTo: z.string().optional() })
export const SendOutOutput = z.object({
  id: z.string(),
  channel: z.string(),
  state: z.enum(['written', 'kept']).describe('written to a FIFO, or kept until a program has taken it over'),
})
export const TakeInput = z.object({
  limit: z.number().int().min(1).max(100).default(10),
  leaseMs: z.number().int().min(1_000).max(3_600_000).default(60_000),
  waitMs: z.number().int().min(0).max(25_000).default(20_000),
})
export const TakeOutput = z.array(Outgoing)
export const SettleInput = z.object({
  id: z.string(),
  error: z.string().max(2_000).optional().describe('left out: it was delivered'),
  retryInMs: z.number().int().min(0).max(86_400_000).nullable().optional().describe('null: it is given up'),
})
export const OutgoingOutput = Outgoing.extend({
  state: OutgoingState,
  attempts: z.number(),
  reason: z.string().nullable(),
})
export const DeadInput = z.object({ channel: z.string().optional() })
export const DeadOutput = z.array(OutgoingOutput)
export const TokenInput = z.object({
  renew: z.boolean().default(false).describe('the old token is no longer valid'),
  signature: Signature.nullable().optional(),
  secret: z
    .string()
    .max(1_000)
    .refine((secret) => secret.trim().length >= 8, 'a secret has at least 8 characters')
    .optional()
    .describe('what webhooks are signed with; one is made if none is given'),
})
export const TokenOutput = z.object({
  name: z.string(),
  token: z.string(),
  url: z.string(),
  signature: Signature.nullable(),
  secret: z.string().nullable().describe('only when it was set just now'),
})
export const RunAdapterInput = AdapterEntry.extend({
  env: z.record(z.string(), z.string()).describe('the caller’s environment: the adapter runs in it'),
})
export const AdapterOutput = AdapterEntry.extend({
  state: z
    .enum(['starting', 'running', 'waiting', 'failed'])
    .describe(
      'starting: it is not at work yet; waiting: it ended and is started again; failed: its configuration is wrong',
    ),
  pid: z.number().nullable(),
  since: time('when it was started last'),
  restarts: z.number().describe('how often it was started again within an hour'),
  error: z.string().nullable().describe('what it said last'),
})
export const AdaptersOutput = z.array(AdapterOutput)
export const TurnsInput = z.object({
  after: z.coerce.number<number>().int().min(0).optional().describe('left out: from now on'),
  target: z.string().optional(),
  cwd: z.string().optional(),
})
export const TurnNews = z.union([TurnLine, TurnGap])

export type ChannelView = z.infer<typeof ChannelOutput>
export type ChannelsView = z.infer<typeof ChannelsOutput>
export type ReceivedView = z.infer<typeof ReceiveOutput>
export type SentView = z.infer<typeof SendOutOutput>
export type OutgoingView = z.infer<typeof OutgoingOutput>
export type TokenView = z.infer<typeof TokenOutput>
export type AdapterView = z.infer<typeof AdapterOutput>

/** Channels, what comes in and goes out on them, and adapters. */
export const channelRoutes = {
  channels: route({
    method: 'GET',
    path: '/v1/channels',
    output: ChannelsOutput,
    scope: 'read',
    agentMay: true,
    commands: ['rein channel list'],
    help: 'Lists the channels.',
  }),
  createChannel: route({
    method: 'POST',
    path: '/v1/channels',
    input: CreateChannelInput,
    output: ChannelOutput,
    scope: 'admin',
    commands: ['rein channel create'],
    help: 'Makes a channel, or changes what is given of it.',
  }),
  removeChannel: route({
    method: 'POST',
    path: '/v1/channels/:name/remove',
    output: ChannelsOutput,
    scope: 'admin',
    commands: ['rein channel remove'],
    help: 'Removes a channel.',
  }),
  routeChannel: route({
    method: 'POST',
    path: '/v1/channels/:name/route',
    input: RouteInput,
    output: ChannelOutput,
    scope: 'admin',
    commands: ['rein channel route'],
    help: 'Says where what comes in on a channel goes.',
  }),
  defaultRoute: route({
    method: 'POST',
    path: '/v1/default-route',
    input: RouteInput,
    output: ChannelsOutput,
    scope: 'admin',
    commands: ['rein channel default'],
    help: 'Says where what has no route of its own goes.',
  }),
  channelToken: route({
    method: 'POST',
    path: '/v1/channels/:name/token',
    input: TokenInput,
    output: TokenOutput,
    scope: 'admin',
    isLocal: true,
    commands: ['rein channel token'],
    help: 'Gives the token of a channel, and sets how its webhooks are signed.',
  }),
  receive: route({
    method: 'POST',
    path: '/v1/channels/:name',
    input: ReceiveInput,
    output: ReceiveOutput,
    scope: 'tell',
    help: 'Takes a message that comes in on a channel: JSON, plain text or a signed webhook.',
  }),
  sendOut: route({
    method: 'POST',
    path: '/v1/channels/:name/out',
    input: SendOutInput,
    output: SendOutOutput,
    scope: 'tell',
    agentMay: true,
    help: 'Sends a message out on a channel.',
  }),
  take: route({
    method: 'POST',
    path: '/v1/channels/:name/take',
    input: TakeInput,
    output: TakeOutput,
    scope: 'tell',
    isLocal: true,
    help: 'Lends what goes out on a channel to this caller; waits for it.',
  }),
  settle: route({
    method: 'POST',
    path: '/v1/channels/:name/settle',
    input: SettleInput,
    output: OutgoingOutput,
    scope: 'tell',
    isLocal: true,
    help: 'Says what became of a message that was taken.',
  }),
  dead: route({
    method: 'GET',
    path: '/v1/outgoing/dead',
    input: DeadInput,
    output: DeadOutput,
    scope: 'read',
    commands: ['rein channel dead'],
    help: 'Lists messages that could not be delivered.',
  }),
  retry: route({
    method: 'POST',
    path: '/v1/outgoing/:id/retry',
    output: OutgoingOutput,
    scope: 'tell',
    isLocal: true,
    help: 'Lets a message that could not be delivered leave once more.',
  }),
  tailChannel: route({
    method: 'GET',
    path: '/v1/channels/:name/tail',
    input: TailInput,
    output: LogLine,
    stream: true,
    scope: 'read',
    help: 'What came in and went out on a channel, and what comes.',
  }),
  adapters: route({
    method: 'GET',
    path: '/v1/adapters',
    output: AdaptersOutput,
    scope: 'read',
    commands: ['rein adapter list'],
    help: 'Lists the adapters that the daemon runs.',
  }),
  runAdapter: route({
    method: 'POST',
    path: '/v1/adapters',
    input: RunAdapterInput,
    output: AdapterOutput,
    scope: 'admin',
    isLocal: true,
    commands: ['rein adapter run'],
    help: 'Runs an adapter; answers when it is at work, or has ended.',
  }),
  stopAdapter: route({
    method: 'POST',
    path: '/v1/adapters/:name/stop',
    output: AdaptersOutput,
    scope: 'admin',
    commands: ['rein adapter stop'],
    help: 'Ends an adapter.',
  }),
  turns: route({
    method: 'GET',
    path: '/v1/turns',
    input: TurnsInput,
    output: TurnNews,
    media: 'text/event-stream',
    scope: 'read',
    help: 'Turns as they end, of one agent or of all, as server-sent events.',
  }),
  followTurns: route({
    method: 'GET',
    path: '/v1/turns/lines',
    input: TurnsInput,
    output: TurnNews,
    stream: true,
    scope: 'read',
    help: 'Turns as they end, of one agent or of all.',
  }),
} satisfies Routes
