import { z } from 'zod'
import type { Actor } from '../../contract/identity.ts'
import type { ChannelView, SentView } from '../../contract/routes/channels.ts'
import { tool } from '../../mcp/tool.ts'

/** The answers that the tools need. */
interface ChannelAnswers {
  list(): ChannelView[]
  send(actor: Actor, channel: string, message: { text: string; replyTo?: string | undefined }): Promise<SentView>
}

export const channelTools = (channels: ChannelAnswers) => ({
  channels: tool({
    description: 'Lists the channels to the outside world that you can send to, and those that bring you messages.',
    input: z.object({}),
    isReadOnly: true,
    isFree: false,
    run: async () => {
      const lines = channels.list().map(({ name, isHuman, isKept, ways, route }) => {
        const canSend = isKept || ways.includes('out-fifo')
        const from = route === null ? [] : [`its messages go to ${route.handle ?? `the room ${route.room}`}`]
        const about = [canSend ? 'you can send to it' : 'nothing can be sent to it', ...from]
        return `${name}${isHuman ? ' (a person)' : ''}: ${about.join(', ')}`
      })
      return lines.join('\n') || 'No channels.'
    },
  }),
  send_to_channel: tool({
    description:
      'Sends a text to the outside world on a channel. Use it to answer a message that came from there, or when you were asked to tell somebody.',
    input: z.object({
      channel: z.string().min(1).describe('its name; the tool channels lists them'),
      message: z.string().min(1),
      reply_to: z.string().optional().describe('msg_…: the message that this answers'),
    }),
    isReadOnly: false,
    isFree: false,
    run: async (caller, { channel, message, reply_to }) => {
      const sent = await channels.send(caller.actor, channel, { text: message, replyTo: reply_to })
      return sent.state === 'written' ? `Sent to ${channel}.` : `${sent.id} is on its way to ${channel}.`
    },
  }),
})
