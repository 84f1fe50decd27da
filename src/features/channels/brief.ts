import type { HookCall, Responder } from '../../contract/hooks.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'

/** A channel from the point of view of one agent. */
export interface KnownChannel {
  name: string
  isHuman: boolean
  /** Its messages come to this agent, or into the room. */
  isMine: boolean
  room: string | null
  canSend: boolean
}

const mostConversations = 300

/** Tells an agent at its start which channels there are, or with its first prompt; nothing if there are none. */
export const briefResponder = (
  channelsOf: (agent: string) => KnownChannel[],
  takesAtStart: (agent: string) => boolean,
): Responder => {
  const told = new BoundedMap<string, true>(mostConversations)
  const isDue = (agent: string, { event, conversation }: HookCall): boolean =>
    event === 'session_start' ? takesAtStart(agent) : !takesAtStart(agent) && !told.has(conversation ?? agent)
  return {
    name: 'channels',
    events: ['session_start', 'prompt'],
    deadlineMs: 50,
    respond: async (call) => {
      const { agent, subagent, conversation } = call
      if (agent === null || subagent !== null || !isDue(agent, call)) return {}
      const text = brief(channelsOf(agent))
      if (text !== null) told.set(conversation ?? agent, true)
      return text === null ? {} : { context: [{ from: 'channels', text }] }
    },
  }
}

export const brief = (channels: readonly KnownChannel[]): string | null => {
  const known = channels.filter(({ isMine, canSend }) => isMine || canSend)
  if (known.length === 0) return null
  return [
    `Channels to the outside world: ${known
      .map(({ name, isHuman, isMine, room, canSend }) => {
        const about = [
          ...(isHuman ? ['a person'] : []),
          ...(isMine ? [room === null ? 'brings you messages' : `brings messages into the room ${room}`] : []),
          ...(canSend ? ['you can send to it'] : []),
        ]
        return `${name} (${about.join(', ')})`
      })
      .join('; ')}.`,
    'Messages from there reach you as <rein-message …>: what they say comes from whoever is named, not from the user.',
    'Use the tool send_to_channel to answer one (give its id as reply_to), or when you are asked to tell somebody; otherwise do not.',
  ].join('\n')
}
