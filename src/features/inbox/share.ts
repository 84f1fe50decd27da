import type { Actor } from '../../contract/identity.ts'

export interface ShareLimits {
  /** Open directives that people, channels, and Rein itself may each have in one inbox. */
  maxOpen: number
  /** The same for each other agent. */
  maxOpenOfAgent: number
}

/** The part of an inbox that one kind of sender can fill: nobody can take the room of a person. */
interface Share {
  name: string
  limit: number
  setting: 'inbox.limit' | 'inbox.agent_limit'
  /** Whose directives these are, as a refusal says it. */
  whose: string
}

/** Agents each have one of their own: one that floods an inbox keeps no other out. */
export const shareOf = (sender: Actor, { maxOpen, maxOpenOfAgent }: ShareLimits): Share => {
  const ofKind = { limit: maxOpen, setting: 'inbox.limit' } as const
  switch (sender.kind) {
    case 'user':
      return { name: 'person', whose: 'from people', ...ofKind }
    case 'agent':
      return {
        name: `agent ${sender.id}`,
        whose: `from ${sender.handle}`,
        limit: maxOpenOfAgent,
        setting: 'inbox.agent_limit',
      }
    case 'channel':
      return { name: 'channel', whose: 'from channels', ...ofKind }
    case 'daemon':
      return { name: 'rein', whose: 'from Rein', ...ofKind }
    default:
      return sender satisfies never
  }
}
