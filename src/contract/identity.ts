import { z } from 'zod'
import { handlePattern } from './handle.ts'

export const Handle = z.string().regex(handlePattern)

/** One supervised process of an agent CLI, wherever it is mentioned. */
export const AgentRef = z.object({ id: z.string(), project: z.string(), handle: Handle })
export type AgentRef = z.infer<typeof AgentRef>

/** What a person acts through, where that is not a command on this machine. */
export const Via = z.discriminatedUnion('kind', [
  /** A paired browser; its name at that time. */
  z.object({ kind: z.literal('device'), id: z.string(), name: z.string() }),
])
export type Via = z.infer<typeof Via>

/** The cause of a record: a person, an agent, a sender outside, or Rein itself. */
export const Actor = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('user'), name: z.string(), via: Via.optional() }),
  z.object({ kind: z.literal('agent'), id: z.string(), handle: z.string() }),
  z.object({ kind: z.literal('channel'), name: z.string(), sender: z.string().nullable() }),
  z.object({ kind: z.literal('daemon') }),
])
export type Actor = z.infer<typeof Actor>
/** What nobody asked for: Rein does it by itself. */
export const byRein = { kind: 'daemon' } as const satisfies Actor
export type ChannelActor = Extract<Actor, { kind: 'channel' }>

/** Why Rein believes something: where it was read, and what exactly. */
export const Evidence = z.object({
  source: z.enum(['stream', 'hook', 'transcript', 'screen', 'process', 'command']),
  conversation: z.string().optional(),
  entry: z.string().optional(),
  descendant: z.string().optional(),
  detail: z.string().optional(),
})
export type Evidence = z.infer<typeof Evidence>
