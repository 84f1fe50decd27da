import type { HeldMessage } from '../../src/features/channels/channel.ts'
import { Channels } from '../../src/features/channels/channels.ts'
import { Incoming } from '../../src/features/channels/incoming.ts'
import type { NewMessage } from '../../src/features/channels/new-message.ts'
import type { Agent } from '../../src/contract/agent.ts'
import type { Message, Route } from '../../src/contract/channel.ts'
import { ReinError } from '../../src/contract/errors.ts'
import type { AgentRef } from '../../src/contract/identity.ts'
import type { AnyNewRecord } from '../../src/contract/record.ts'
import { agentRef, anAgent, now } from './builders.ts'

export const room = 'shop-1a2b3c/build'
export const toAgent = (allowsBypass = false): Route => ({ agent: agentRef, allowsBypass })
export const toRoom = (allowsBypass = false): Route => ({ room, allowsBypass })
export const said = (text: string, more: Partial<NewMessage> = {}): NewMessage => ({
  channel: 'phone',
  text,
  via: 'fifo',
  ...more,
})

interface Given {
  limits?: Partial<{ maxTextBytes: number; maxHeld: number }>
  agents?: Agent[]
  /** The mode in which every agent starts. */
  startMode?: string
}

/** What is there besides, and what is wrong with it. */
const createWorld = ({ agents = [anAgent()] }: Given) => ({
  agents: new Map(agents.map((agent) => [agent.id, agent])),
  /** The only agent that runs. */
  lone: null as AgentRef | null,
  rooms: new Set([room]),
  /** So much goes into the inbox. */
  space: Number.POSITIVE_INFINITY,
  answers: new Set<string>(),
  refused: new Set<string>(),
  delivered: [] as { id: string; text: string; agent: string }[],
  posted: [] as { id: string; text: string; room: string }[],
  answered: [] as string[],
  troubles: [] as unknown[],
})
type World = ReturnType<typeof createWorld>

/** Channels over a log in memory, an inbox and a room that only remember. */
export const startChannels = (given: Given = {}) => {
  const records: AnyNewRecord[] = []
  const world = createWorld(given)
  const disk = { failsFor: '' }
  const append = async (some: AnyNewRecord[]): Promise<number[]> => {
    if (some.some(({ type }) => type === disk.failsFor)) throw new Error('the disk is full')
    return some.map((one) => records.push(one))
  }
  let ids = 0
  const common = { append, now: () => now, newId: (prefix: string) => `${prefix}_${++ids}` }
  const start = () => {
    const channels = new Channels({
      ...common,
      load: () => writtenChannels(records),
      agent: (id) => world.agents.get(id) ?? null,
      loneAgent: () => world.lone,
      startMode: (_, asked) => given.startMode ?? asked.permissionMode ?? '',
      hasRoom: (key) => world.rooms.has(key),
      onChange: () => incoming.pass(),
    })
    const incoming = new Incoming(
      {
        ...common,
        channels,
        load: () => writtenHeld(records),
        find: (id) => received(records).find((one) => one.id === id),
        ...endsOf(world),
      },
      { maxTextBytes: 100, maxHeld: 3, ...given.limits },
    )
    incoming.open()
    return { channels, incoming }
  }
  const texts = (): string[] => world.delivered.map(({ text }) => text)
  const posts = (): string[] => world.posted.map(({ text }) => text)
  return { ...start(), again: start, records, disk, world, texts, posts }
}

/** Where messages end; each is there once, however often it comes. */
const endsOf = (world: World) => ({
  isAnswer: ({ text }: Message) => world.answers.has(text),
  answer: async ({ text }: Message) => void world.answered.push(text),
  deliver: async ({ id, text }: Message, agent: typeof agentRef) => {
    if (world.refused.has(text)) throw new ReinError('text_too_large', 'too large')
    if (world.delivered.length >= world.space) throw new ReinError('inbox_full', 'full')
    if (!world.delivered.some((one) => one.id === id)) world.delivered.push({ id, text, agent: agent.id })
    return agent
  },
  post: async ({ id, text }: Message, key: string) => {
    if (world.refused.has(text)) throw new ReinError('text_too_large', 'too large')
    if (!world.posted.some((one) => one.id === id)) world.posted.push({ id, text, room: key })
  },
  onHeld: () => undefined,
  onTrouble: (cause: unknown) => void world.troubles.push(cause),
})

const writtenChannels = (records: readonly AnyNewRecord[]) => ({
  channels: [
    ...new Map(
      records.flatMap((one) => (one.type === 'channel.set' ? [[one.body.channel.name, one.body.channel]] : [])),
    ).values(),
  ],
  fallback: records.flatMap((one) => (one.type === 'channel.default' ? [one.body.route] : [])).at(-1) ?? null,
})

const writtenHeld = (records: readonly AnyNewRecord[]): HeldMessage[] => {
  const gone = records.flatMap((one) =>
    one.type === 'message.routed' || one.type === 'message.dropped' ? [one.body.message] : [],
  )
  return received(records).flatMap((message, seq) => (gone.includes(message.id) ? [] : [{ message, seq }]))
}

const received = (records: readonly AnyNewRecord[]): Message[] =>
  records.flatMap((one) => (one.type === 'message.received' ? [one.body.message] : []))
