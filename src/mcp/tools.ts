import { z } from 'zod'
import { AckInput, type InboxItemView } from '../contract/routes/directives.ts'
import type { AgentView } from '../contract/routes/agents.ts'
import type { ChannelView } from '../contract/routes/channels.ts'
import { Priority } from '../contract/directive.ts'
import { teamTools } from './team-tools.ts'
import { define } from './old-tool.ts'
import { quoted } from './tool.ts'

const directiveId = z.string().min(1).describe('dir_…')

/** A long list would fill the context of whoever asked. */
const listLimit = 20

export const tools = {
  ...teamTools,
  read_inbox: define({
    description:
      'Lists your open directives. With id: the text of that one; a long text comes in parts, call again for the next.',
    input: z.object({
      id: directiveId.optional(),
      part: z.number().int().positive().optional().describe('one certain part of a long text'),
    }),
    isReadOnly: false,
    run: async (caller, { id, part }) =>
      id === undefined ? inboxText(await caller.inbox()) : (await caller.read(id, part ?? null)).text,
  }),
  ack_directive: define({
    description: 'Says that you have understood a directive and act on it. Its sender gets to know.',
    input: z.object({ id: directiveId, note: AckInput.shape.note.describe('what to tell the sender') }),
    isReadOnly: false,
    run: async (caller, { id, note }) => {
      const receipt = await caller.ack(id, note)
      return `${receipt.id} is ${receipt.state}.`
    },
  }),
  tell_agent: define({
    description: 'Tells another agent something. It is stored, and the agent gets it at its next opportunity.',
    input: z.object({
      agent: z.string().min(1).describe('its handle, or project/handle; list_agents shows them'),
      text: z.string().min(1),
      priority: Priority.default('normal'),
    }),
    isReadOnly: false,
    run: async (caller, message) => {
      const told = await caller.tell(message)
      return `${told.id} is ${told.state} for ${told.handle}. ${told.delivery}`
    },
  }),
  list_agents: define({
    description: 'Lists the agents that run here, with their states.',
    input: z.object({}),
    isReadOnly: true,
    run: async (caller) => agentsText(await caller.agents()),
  }),
  channels: define({
    description: 'Lists the channels to the outside world that you can send to, and those that bring you messages.',
    input: z.object({}),
    isReadOnly: true,
    run: async (caller) => channelsText(await caller.channels()),
  }),
  send_to_channel: define({
    description:
      'Sends a text to the outside world on a channel. Use it to answer a message that came from there, or when you were asked to tell somebody.',
    input: z.object({
      channel: z.string().min(1).describe('its name; the tool channels lists them'),
      message: z.string().min(1),
      reply_to: z.string().optional().describe('msg_…: the message that this answers'),
    }),
    isReadOnly: false,
    run: async (caller, { channel, message, reply_to }) => {
      const sent = await caller.send({ channel, text: message, replyTo: reply_to })
      return sent.state === 'written' ? `Sent to ${channel}.` : `${sent.id} is on its way to ${channel}.`
    },
  }),
}

const inboxText = (items: InboxItemView[]): string => {
  if (items.length === 0) return 'No open directives.'
  const more = items.length > listLimit ? [`… and ${items.length - listLimit} more.`] : []
  return [
    `Open directives: ${items.length}. What stands in quotes is their senders’ text.`,
    ...items.slice(0, listLimit).map(itemLine),
    ...more,
    'read_inbox with an id gives the whole text; ack_directive acknowledges.',
  ].join('\n')
}

const itemLine = ({ id, handle, from, type, priority, state, length, excerpt }: InboxItemView): string =>
  `${id} for ${handle} from ${quoted(from)}: ${type}, ${priority}, ${state}, ${length} characters: ${quoted(excerpt)}`

const agentsText = (agents: AgentView[]): string =>
  agents.length === 0 ? 'No agents.' : agents.map(agentLine).join('\n')

const channelsText = (channels: ChannelView[]): string =>
  channels.length === 0 ? 'No channels.' : channels.map(channelLine).join('\n')

const channelLine = ({ name, isHuman, isKept, ways, route }: ChannelView): string => {
  const canSend = isKept || ways.includes('out-fifo')
  const from = route === null ? [] : [`its messages go to ${route.handle ?? `the room ${route.room}`}`]
  const about = [canSend ? 'you can send to it' : 'nothing can be sent to it', ...from]
  return `${name}${isHuman ? ' (a person)' : ''}: ${about.join(', ')}`
}

const agentLine = ({ handle, project, driver, state, cwd, inbox }: AgentView): string => {
  const open = inbox.queued + inbox.offered + inbox.placed + inbox.seen
  return `${project}/${handle}: ${driver}, ${state.replaceAll('_', ' ')}, ${open} open directives, in ${quoted(cwd)}`
}
