import type { ServerResponse } from 'node:http'
import { userInfo } from 'node:os'
import { ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import { partsOf, renderPart } from '../features/inbox/fence.ts'
import type { Item } from '../features/inbox/receipt.ts'
import type { Caller } from '../mcp/caller.ts'
import * as agents from './handlers/agents.ts'
import * as channels from './handlers/channels.ts'
import * as bus from './handlers/bus.ts'
import * as directives from './handlers/directives.ts'
import * as rooms from './handlers/rooms.ts'
import { tellLead } from './handlers/task-messages.ts'
import type { Services } from './services.ts'

/** One request to the MCP server, whose packages are loaded only when somebody uses it. */
export const answerMcp = async (
  services: Services,
  actor: Actor,
  cwd: string | undefined,
  request: Request,
  outgoing: ServerResponse,
): Promise<Response> => {
  const { serveMcp } = await import('../mcp/server.ts')
  const here = ownDirectory(services, actor) ?? cwd ?? ''
  const caller = { actor, cwd: here, onAnswered: (run: () => void) => void outgoing.once('finish', run) }
  return serveMcp(request, caller, services.features.mcpTools, {
    ...callerOf(services, actor, here),
    ...teamCaller(services, actor, here, outgoing),
  })
}

const ownDirectory = ({ supervisor }: Services, actor: Actor): string | undefined =>
  actor.kind === 'agent' ? supervisor.get(actor.id)?.cwd : undefined

type TeamCaller = Pick<Caller, 'rooms' | 'posts' | 'confirm' | 'post' | 'publish' | 'events' | 'ackEvents' | 'tellLead'>

type OwnCaller = Omit<Caller, keyof TeamCaller>

const callerOf = (services: Services, actor: Actor, cwd: string): OwnCaller => ({
  inbox: () => directives.inbox(services, actor, { cwd, all: false }),
  read: async (id, part) => {
    const item = directives.find(services, id)
    if (actor.kind !== 'agent') return { id, ...fenced(item, part ?? 1) }
    if (actor.id !== item.directive.agent.id)
      throw new ReinError('wrong_agent', `${id} is not for ${actor.handle}.`, 'read_inbox without id lists yours.')
    return directives.read(services, actor, id, { part })
  },
  ack: (id, note) => {
    if (actor.kind === 'agent') return directives.ack(services, actor, id, { note }, 'ack_directive')
    throw new ReinError(
      'forbidden',
      'Only the agent it is for may acknowledge a directive.',
      'Rein does not know you as an agent.',
    )
  },
  tell: ({ agent, text, priority }) =>
    directives.tell(services, actor, {
      target: agent,
      cwd,
      text,
      type: 'directive',
      priority,
      // Words of a model, also where nobody knows whose.
      from: `an MCP client of ${userInfo().username}`,
      expiresInMs: null,
    }),
  agents: async () => agents.ps(services, { all: false }),
  channels: async () => channels.list(services).channels,
  send: ({ channel, text, replyTo }) => channels.send(services, actor, channel, { text, replyTo }),
})

const teamCaller = (services: Services, actor: Actor, cwd: string, outgoing: ServerResponse): TeamCaller => {
  const trouble = (cause: unknown): void => services.journal.write('trouble', { where: 'rooms', reason: String(cause) })
  return {
    rooms: () => rooms.list(services, actor, { cwd, all: false }),
    posts: (wanted) => rooms.posts(services, actor, { ...wanted, cwd }),
    // What was read is read when the answer has left: until then it would be lost with it. For a person nobody reads.
    confirm: (room, upTo) => {
      if (actor.kind === 'agent')
        outgoing.once('finish', () => void rooms.moveCursor(services, actor, { room, upTo, cwd }).catch(trouble))
    },
    post: async ({ room, text }) => rooms.post(services, known(actor), { room, text, cwd }),
    publish: async (event) => bus.publish(services, known(actor), { ...event, cwd }),
    events: ({ id, limit }) => bus.events(services, actor, { id, limit, cwd, all: false, take: true }),
    ackEvents: async (ids) => bus.ack(services, known(actor), { ids, all: false, cwd }),
    tellLead: async (message) => tellLead(services, known(actor), { ...message, cwd }),
  }
}

/** A model that is nobody's agent must not pass for the person in charge. */
const known = (actor: Actor): Actor => {
  if (actor.kind === 'agent') return actor
  throw new ReinError('forbidden', 'Only agents speak in a team this way.', 'Rein does not know you as an agent.')
}

/** Whoever calls this is a model, too: it gets the text as what it is, somebody's directive to an agent. */
const fenced = ({ directive }: Item, part: number) => {
  const partCount = partsOf(directive).length
  if (part > partCount) throw new ReinError('usage', `There are ${partCount} parts.`)
  const more = part < partCount ? [`For the rest: read_inbox with part ${part + 1}.`] : []
  return { parts: [part], partCount, text: [renderPart(directive, part), ...more].join('\n\n') }
}
