import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KnownChannel } from '../features/channels/brief.ts'
import { Broadcast, type BroadcastPorts } from '../features/channels/broadcast/broadcast.ts'
import { TurnSource } from '../features/channels/broadcast/source.ts'
import { postIdOf } from '../features/channels/channel.ts'
import { Channels } from '../features/channels/channels.ts'
import { FifoInputs } from '../features/channels/fifo/inputs.ts'
import { FifoOutputs } from '../features/channels/fifo/outputs.ts'
import { Incoming } from '../features/channels/incoming.ts'
import { Outbox } from '../features/channels/outbox.ts'
import { Sender } from '../features/channels/sender.ts'
import {
  allAdapters,
  allChannels,
  defaultRoute,
  findMessage,
  findOutgoing,
  heldMessages,
  outgoingItems,
} from '../features/channels/store.ts'
import { RateLimit } from '../features/channels/webhooks/rate.ts'
import { WebhookSecrets } from '../features/channels/webhooks/secrets.ts'
import type { Supervisor } from '../agents/supervisor.ts'
import { type Agent, isAlive, type LaunchRequest } from '../contract/agent.ts'
import type { Message, Outgoing, Route } from '../contract/channel.ts'
import type { Actor, AgentRef } from '../contract/identity.ts'
import type { AnyNewRecord } from '../contract/record.ts'
import { splitRoomKey } from '../contract/team.ts'
import { drivers } from '../drivers/registry.ts'
import type { Inbox } from '../features/inbox/inbox.ts'
import { findItem } from '../features/inbox/store.ts'
import { redact, redactDeep } from '../base/redact/redact.ts'
import { Adapters } from './adapters.ts'
import type { AgentWatcher } from '../agents/agent-watcher.ts'
import { Questions } from './questions.ts'
import type { ServiceParts } from './services.ts'

/** What channels need of rooms. */
export interface RoomsOfChannels {
  has(key: string): boolean
  /** The same id again is the same post. */
  post(post: { project: string; name: string; author: Actor; text: string; id: string }): Promise<unknown>
}

interface ChannelParts extends ServiceParts {
  rooms: RoomsOfChannels
  inbox: Inbox
  supervisor: Supervisor
  append: (records: AnyNewRecord[]) => Promise<number[]>
  now: () => number
  newId: (prefix: string) => string
}

export interface ChannelServices {
  broadcast: Broadcast
  turns: Pick<BroadcastPorts, 'source' | 'news'>
  adapters: Adapters
  sender: Sender
  questions: Questions
  secrets: WebhookSecrets
  rates: RateLimit
  channels: Channels
  incoming: Incoming
  outbox: Outbox
  fifos: { inputs: FifoInputs; outputs: FifoOutputs }
  /** What was held because nobody ran goes to the agent that is alone then. */
  loneAgents: AgentWatcher
}

/** Lines that are kept made, and how long somebody may take nothing. */
const broadcastLimits = { count: 1000, bytes: 8 * 1024 * 1024, stuckMs: 60_000 }

/** Puts together what comes in and goes out on channels. */
export const composeChannels = (parts: ChannelParts): ChannelServices => {
  const channels = new Channels({
    ...channelPorts(parts),
    onChange: () => {
      questions.tellAll()
      return incoming.pass()
    },
  })
  const incoming = new Incoming(
    {
      ...incomingPorts(parts),
      channels,
      isAnswer: (message) => questions.isAnswer(message),
      answer: (message) => questions.answer(message),
    },
    {
      maxTextBytes: Math.min(parts.settings['channels.max_text_bytes'], parts.settings['inbox.max_text_bytes']),
      maxHeld: parts.settings['channels.held_limit'],
    },
  )
  const outbox = new Outbox(outboxPorts(parts), {
    maxPending: parts.settings['channels.out_limit'],
    maxAttempts: parts.settings['channels.out_attempts'],
  })
  const outputs = new FifoOutputs(parts.paths.runtime)
  const sender = new Sender({ channels, outbox, outputs, ...senderPorts(parts) })
  const questions = new Questions({
    channels,
    supervisor: parts.supervisor,
    secret: parts.endpoint.secret,
    send: ({ text, ...more }) => sender.send({ kind: 'daemon' }, { text: redact(text).text, ...more }),
    onTrouble: (cause) => parts.journal.write('trouble', { where: 'questions', reason: String(cause) }),
  })
  const secrets = new WebhookSecrets(join(parts.paths.state, 'channels'), () => randomBytes(32).toString('base64url'))
  const rates = new RateLimit(parts.settings['channels.rate_per_minute'], parts.now)
  const turns = turnsOf(parts)
  return {
    broadcast: broadcastOf(parts, turns),
    turns,
    channels,
    incoming,
    outbox,
    adapters: adaptersOf(parts),
    sender,
    questions,
    secrets,
    rates,
    fifos: { inputs: fifoInputs(parts, incoming), outputs },
    loneAgents: { onChange: () => void incoming.pass() },
  }
}

const turnsOf = ({ log, reader, supervisor }: ChannelParts): ChannelServices['turns'] => ({
  source: new TurnSource({ reader, handle: (id) => supervisor.get(id)?.handle ?? null }),
  news: (signal) => log.changes(['turns'], signal),
})

const broadcastOf = ({ journal }: ChannelParts, turns: ChannelServices['turns']): Broadcast =>
  new Broadcast(
    {
      ...turns,
      now: () => performance.now(),
      soon: (run) => void setImmediate(run),
      onTrouble: (cause) => journal.write('trouble', { where: 'broadcast', reason: String(cause) }),
    },
    broadcastLimits,
  )

const channelPorts = ({ reader, supervisor, rooms, append, now, newId }: ChannelParts) => ({
  append,
  load: () => ({ channels: allChannels(reader), fallback: defaultRoute(reader) }),
  agent: (id: string) => supervisor.get(id),
  loneAgent: () => {
    const running = supervisor.agents.filter(({ state }) => isAlive(state))
    return running.length === 1 ? refOf(running[0] ?? null) : null
  },
  startMode: ({ driver, version, host }: Agent, request: LaunchRequest) =>
    drivers.find(({ name }) => name === driver)?.startMode?.(request, version, host) ?? '',
  hasRoom: (key: string) => rooms.has(key),
  now,
  newId,
})

const incomingPorts = ({ reader, journal, inbox, rooms, append, now, newId }: ChannelParts) => ({
  append,
  load: () => heldMessages(reader),
  find: (id: string) => findMessage(reader, id),
  deliver: async (message: Message, agent: AgentRef) => {
    const { directive } = findItem(reader, message.id) ?? (await inbox.accept(asDirective(message, agent)))
    return directive.agent
  },
  post: async (message: Message, room: string) => void (await rooms.post(asPost(message, room))),
  now,
  newId,
  onHeld: ({ id, channel }: Message, reason: string) => journal.write('held', { message: id, channel, reason }),
  onTrouble: (cause: unknown) => journal.write('trouble', { where: 'channels', reason: String(cause) }),
})

const asPost = ({ id, channel, text, sender }: Message, room: string) => ({
  ...splitRoomKey(room),
  author: { kind: 'channel' as const, name: channel, sender },
  text,
  id: postIdOf(id),
})

/** Under its own id, so that one that comes twice is one. */
const asDirective = ({ id, channel, text, sender, at, claimedAt }: Message, agent: AgentRef) => ({
  id,
  agent,
  from: `channel ${channel}`,
  sender: { kind: 'channel' as const, name: channel, sender },
  type: 'message',
  priority: 'normal' as const,
  text,
  expiresInMs: null,
  origin: { channel, sender, at, claimedAt },
})

const adaptersOf = ({ reader, environment, settings, journal, append, now, newId }: ChannelParts): Adapters =>
  new Adapters({
    append,
    load: () => allAdapters(reader),
    environment,
    script: fileURLToPath(new URL('adapter-main.js', import.meta.url)),
    longestWaitMs: settings['agents.restart_backoff_max_s'] * 1000,
    now,
    newId,
    onSaid: (name, line) => journal.write('adapter', { name, line }),
    onEnded: (name, reason) => journal.write('trouble', { where: `adapter ${name}`, reason }),
  })

const senderPorts = ({ reader, journal, supervisor, now, newId }: ChannelParts) => ({
  find: (id: string) => findMessage(reader, id),
  agent: (id: string) => refOf(supervisor.get(id)),
  now,
  newId,
  onSent: ({ channel, from, text }: Outgoing, how: string) =>
    journal.write('send', { channel, from: from?.handle ?? 'rein', how, length: text.length }),
})

const refOf = (agent: Agent | null): AgentRef | null =>
  agent === null ? null : { id: agent.id, project: agent.project, handle: agent.handle }

const outboxPorts = ({ reader, journal, append, now, newId }: ChannelParts) => ({
  append,
  load: () => outgoingItems(reader, 'pending', null),
  find: (id: string) => findOutgoing(reader, id),
  now,
  elapsed: () => performance.now(),
  newId,
  onDead: ({ outgoing, reason }: { outgoing: { id: string; channel: string }; reason: string | null }) =>
    journal.write('dead', { message: outgoing.id, channel: outgoing.channel, reason: reason ?? '' }),
})

const fifoInputs = ({ paths, journal }: ChannelParts, incoming: Incoming): FifoInputs =>
  new FifoInputs({
    dir: paths.runtime,
    onMessage: async (channel, { text, claimedAt, meta }) =>
      void (await receive(incoming, journal, { channel, text, via: 'fifo', claimedAt, meta })),
    onRefused: (channel, reason) => journal.write('refused', { channel, reason }),
    onChange: (file, what) => journal.write('fifo', { file, what }),
    onTrouble: (where, cause) => journal.write('trouble', { where, reason: String(cause) }),
  })

/** Secrets are taken out before anything is kept. */
export const receive = async (
  incoming: Incoming,
  journal: ServiceParts['journal'],
  given: Parameters<Incoming['receive']>[0],
): ReturnType<Incoming['receive']> => {
  const { text } = redact(given.text)
  const meta = given.meta === undefined ? {} : (redactDeep(given.meta).value as Record<string, unknown>)
  const sender = given.sender == null ? null : redact(given.sender).text
  const taken = await incoming.receive({ ...given, text, meta, sender })
  const { id, channel, via } = taken.message
  journal.write('message', { message: id, channel, via, length: text.length })
  return taken
}

/** Channels as one agent sees them. */
export const knownChannels = ({ channels, sender, fifos }: ChannelServices, agent: string): KnownChannel[] => {
  const ways = sender.ways
  const names = new Set([...channels.all.map(({ name }) => name), ...ways, ...fifos.inputs.names()])
  return [...names].toSorted().map((name) => ({
    name,
    isHuman: channels.get(name)?.isHuman ?? false,
    isMine: channels.leadsTo(name, agent),
    room: roomName(channels.routeOf(name)),
    canSend: ways.includes(name),
  }))
}

const roomName = (route: Route | null): string | null =>
  route !== null && 'room' in route ? splitRoomKey(route.room).name : null
