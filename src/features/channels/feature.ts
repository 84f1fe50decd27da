import { briefResponder } from './brief.ts'
import type { Agent } from '../../contract/agent.ts'
import type { MessageVia } from '../../contract/channel.ts'
import type { BusEvent } from '../../contract/team.ts'

import type { z } from 'zod'
import type { Wanted } from './broadcast/follow.ts'
import type { channelRoutes, ReceivedView, ReceiveInput, TurnsInput } from '../../contract/routes/channels.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import type { Feature } from '../feature.ts'
import * as handlers from './handlers.ts'
import { channelTools } from './mcp-tools.ts'
import type { ChannelNeeds, ChannelParts } from './parts.ts'
import { tellOverdue, tellPeople } from './people.ts'

import { isClosed } from '../inbox/receipt.ts'
import { knownChannels } from './known-channels.ts'
import { compose } from './compose.ts'

export interface ChannelsApi
  extends Pick<ChannelParts, 'channels' | 'incoming' | 'outbox' | 'sender' | 'broadcast' | 'secrets' | 'rates'> {
  /** Whether text of a channel may be shown to this agent; `mode` is how it says that it asks before its tools run. */
  mayHear: (agent: string, channel: string | null, mode?: string) => boolean
  /** Says something on every human channel of a project. */
  tellPeople: (project: string, text: string) => void
  /** Tells people of an unacknowledged event; without a human channel only `rein bus status` shows it. */
  tellOverdue: (event: BusEvent, late: readonly Agent[]) => void
  /** Accepts a message; `sender` is trusted from callers that speak for the whole channel, such as its adapter. */
  receive: (name: string, via: MessageVia, input: z.infer<typeof ReceiveInput>) => Promise<ReceivedView>
  wantedTurns: (input: z.infer<typeof TurnsInput>) => Promise<Wanted>
}

type ChannelRoutes = Omit<typeof channelRoutes, 'receive'>

/** Incoming and outgoing messages of channels. */
export const channels: Feature<'channels', ChannelRoutes, ChannelNeeds, ChannelsApi> = {
  name: 'channels',
  create: (base, agents, others) => {
    const parts = compose(base, agents, others)
    const { incoming, questions, notices, broadcast, fifos, adapters } = parts
    const isTold = (id: string): boolean => agents.supervisor.find(id)?.capabilities.onStart !== false
    return {
      handlers: handlersOf(parts),
      responders: [briefResponder((id) => knownChannels(parts, id), isTold)],
      watchers: [
        questions,
        notices,
        // Messages held because no agent ran go to the only agent that runs now.
        { onChange: () => void incoming.pass() },
      ],
      mcpTools: channelTools({
        list: () => handlers.list(parts).channels,
        send: (actor, channel, message) => handlers.send(parts, actor, channel, message),
      }),
      // A closed directive makes room for messages that wait.
      open: () =>
        others.inbox.inbox.listen({
          onStep: (item) => {
            if (isClosed(item)) void incoming.pass()
          },
        }),
      start: () => {
        incoming.open()
        questions.start()
        notices.start()
        void broadcast.run()
        void fifos.inputs.start()
        adapters.start()
      },
      stop: () => {
        const lastMessages = fifos.inputs.close()
        fifos.outputs.close()
        const ended = adapters.close()
        broadcast.close()
        questions.stop()
        return Promise.all([lastMessages, ended])
      },
      reload: () => {
        for (const one of [parts.channels, incoming, parts.outbox]) one.reload()
      },
      api: {
        channels: parts.channels,
        incoming,
        outbox: parts.outbox,
        sender: parts.sender,
        broadcast,
        secrets: parts.secrets,
        rates: parts.rates,
        mayHear: (id, channel, mode) => parts.channels.mayHear(id, channel, mode),
        tellPeople: (...news) => tellPeople(parts, ...news),
        tellOverdue: (...news) => tellOverdue(parts, ...news),
        receive: (...given) => handlers.receive(parts, ...given),
        wantedTurns: (input) => handlers.wantedTurns(parts, input),
      },
    }
  },
}

const handlersOf = (parts: ChannelParts): Handlers<ChannelRoutes> => ({
  channels: () => handlers.list(parts),
  createChannel: ({ actor, input }) => handlers.create(parts, actor, input),
  removeChannel: ({ actor, params }) => handlers.remove(parts, actor, params.name),
  routeChannel: ({ actor, params, input }) => handlers.route(parts, actor, params.name, input),
  defaultRoute: ({ actor, input }) => handlers.setDefault(parts, actor, input),
  channelToken: ({ actor, params, input }) => handlers.token(parts, actor, params.name, input),
  sendOut: ({ actor, params, input }) => handlers.send(parts, actor, params.name, input),
  take: ({ params, input, signal }) => parts.outbox.take(params.name, input, signal),
  settle: ({ actor, input }) => handlers.settle(parts, actor, input),
  dead: ({ input }) => handlers.dead(parts, input.channel ?? null),
  retry: ({ actor, params }) => handlers.retry(parts, actor, params.id),
  tailChannel: ({ params, input, signal }) => handlers.tail(parts, params.name, input, signal),
  adapters: () => parts.adapters.all,
  runAdapter: ({ actor, input: { env, ...entry } }) => parts.adapters.run(entry, env, actor),
  stopAdapter: ({ actor, params }) => parts.adapters.stop(params.name, actor),
  followTurns: ({ input, signal }) => handlers.turns(parts, input, signal),
})
