import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Broadcast } from './broadcast/broadcast.ts'
import { TurnSource } from './broadcast/source.ts'
import { postIdOf } from './channel.ts'
import { Channels } from './channels.ts'
import { FifoInputs } from './fifo/inputs.ts'
import { FifoOutputs } from './fifo/outputs.ts'
import { Incoming } from './incoming.ts'
import { Outbox } from './outbox.ts'
import { Sender } from './sender.ts'
import {
  allAdapters,
  allChannels,
  defaultRoute,
  findMessage,
  findOutgoing,
  heldMessages,
  outgoingItems,
} from './store.ts'
import { RateLimit } from './webhooks/rate.ts'
import { WebhookSecrets } from './webhooks/secrets.ts'
import { type Agent, isAlive, type LaunchRequest } from '../../contract/agent.ts'
import type { Message, Outgoing } from '../../contract/channel.ts'
import { type AgentRef, byRein } from '../../contract/identity.ts'
import { noticeChannel } from '../../contract/notice-events.ts'
import { splitRoomKey } from '../../contract/team.ts'
import { drivers } from '../../drivers/registry.ts'
import { findItem } from '../inbox/store.ts'
import { redact } from '../../base/redact/redact.ts'
import { Adapters } from './running-adapters.ts'
import { Notices } from './notices.ts'
import { Questions } from './question-answers.ts'

import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import type { ChannelNeeds, ChannelParts } from './parts.ts'
import { receive } from './receive.ts'

/** How many rendered lines are cached, and how long a subscriber may stall. */
const broadcastLimits = { count: 1000, bytes: 8 * 1024 * 1024, stuckMs: 60_000 }

type Own = Base & Agents & { others: ChannelNeeds }

const broadcastOf = ({ journal }: Own, turns: ChannelParts['turns']): Broadcast =>
  new Broadcast(
    {
      ...turns,
      now: () => performance.now(),
      soon: (run) => void setImmediate(run),
      onTrouble: (cause) => journal.write('trouble', { where: 'broadcast', reason: String(cause) }),
    },
    broadcastLimits,
  )

/** Puts together what comes in and goes out on channels. */
export const compose = (base: Base, agents: Agents, others: ChannelNeeds): ChannelParts => {
  const parts: Own = { ...base, ...agents, others }
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
    send: ({ text, ...more }) => sender.send(byRein, { text: redact(text).text, ...more }),
    onTrouble: base.troubleIn('questions'),
  })
  const notices = new Notices({
    agents: () => parts.supervisor.agents,
    agent: (id) => parts.supervisor.get(id),
    isWanted: () => channels.get(noticeChannel)?.isKept === true,
    send: ({ notice, key }) =>
      sender.send(byRein, { channel: noticeChannel, text: JSON.stringify(notice), id: `out_${key}` }),
    now: parts.now,
    onTrouble: base.troubleIn('notices'),
  })
  const secrets = new WebhookSecrets(join(parts.paths.state, 'channels'), () => randomBytes(32).toString('base64url'))
  const rates = new RateLimit(parts.settings['channels.rate_per_minute'], parts.now)
  const turns: ChannelParts['turns'] = {
    source: new TurnSource({ reader: parts.reader, handle: (id) => parts.supervisor.get(id)?.handle ?? null }),
    news: (signal) => parts.log.changes(['turns'], signal),
  }
  return {
    ...base,
    ...agents,
    broadcast: broadcastOf(parts, turns),
    turns,
    channels,
    incoming,
    outbox,
    adapters: adaptersOf(parts),
    sender,
    questions,
    notices,
    secrets,
    rates,
    fifos: {
      inputs: new FifoInputs({
        dir: parts.paths.runtime,
        onMessage: async (channel, { text, claimedAt, meta }) =>
          void (await receive(incoming, parts.journal, { channel, text, via: 'fifo', claimedAt, meta })),
        onRefused: (channel, reason) => parts.journal.write('refused', { channel, reason }),
        onChange: (file, what) => parts.journal.write('fifo', { file, what }),
        onTrouble: (where, cause) => parts.journal.write('trouble', { where, reason: String(cause) }),
      }),
      outputs,
    },
  }
}

const channelPorts = ({ reader, supervisor, others, append, now, newId }: Own) => ({
  append,
  load: () => ({ channels: allChannels(reader), fallback: defaultRoute(reader) }),
  agent: (id: string) => supervisor.get(id),
  loneAgent: () => {
    const running = supervisor.agents.filter(({ state }) => isAlive(state))
    return running.length === 1 ? refOf(running[0] ?? null) : null
  },
  startMode: ({ driver, version, host }: Agent, request: LaunchRequest) =>
    drivers.find(({ name }) => name === driver)?.startMode?.(request, version, host) ?? '',
  hasRoom: (key: string) => others.team.rooms.has(key),
  now,
  newId,
})

const incomingPorts = ({ reader, journal, others, append, now, newId }: Own) => ({
  append,
  load: () => heldMessages(reader),
  find: (id: string) => findMessage(reader, id),
  deliver: async (message: Message, agent: AgentRef) => {
    // Under its own id, so that one that comes twice is one.
    const { directive } =
      findItem(reader, message.id) ??
      (await others.inbox.inbox.accept({
        id: message.id,
        agent,
        from: `channel ${message.channel}`,
        sender: { kind: 'channel' as const, name: message.channel, sender: message.sender },
        type: 'message',
        priority: 'normal' as const,
        text: message.text,
        expiresInMs: null,
        origin: { channel: message.channel, sender: message.sender, at: message.at, claimedAt: message.claimedAt },
      }))
    return directive.agent
  },
  post: async (message: Message, room: string) =>
    void (await others.team.rooms.post({
      ...splitRoomKey(room),
      author: { kind: 'channel' as const, name: message.channel, sender: message.sender },
      text: message.text,
      id: postIdOf(message.id),
    })),
  now,
  newId,
  onHeld: ({ id, channel }: Message, reason: string) => journal.write('held', { message: id, channel, reason }),
  onTrouble: (cause: unknown) => journal.write('trouble', { where: 'channels', reason: String(cause) }),
})

const adaptersOf = ({ reader, environment, settings, journal, append, now, newId }: Own): Adapters =>
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

const senderPorts = ({ reader, journal, supervisor, now, newId }: Own) => ({
  find: (id: string) => findMessage(reader, id),
  agent: (id: string) => refOf(supervisor.get(id)),
  now,
  newId,
  onSent: ({ channel, from, text }: Outgoing, how: string) =>
    journal.write('send', { channel, from: from?.handle ?? 'rein', how, length: text.length }),
})

const refOf = (agent: Agent | null): AgentRef | null =>
  agent === null ? null : { id: agent.id, project: agent.project, handle: agent.handle }

const outboxPorts = ({ reader, journal, append, now, newId }: Own) => ({
  append,
  load: () => outgoingItems(reader, 'pending', null),
  find: (id: string) => findOutgoing(reader, id),
  now,
  elapsed: () => performance.now(),
  newId,
  onDead: ({ outgoing, reason }: { outgoing: { id: string; channel: string }; reason: string | null }) =>
    journal.write('dead', { message: outgoing.id, channel: outgoing.channel, reason: reason ?? '' }),
})
