import { userInfo } from 'node:os'
import { ReinError } from '../contract/errors.ts'
import type { Actor } from '../contract/identity.ts'
import { partsOf, renderPart } from '../inbox/fence.ts'
import type { Item } from '../inbox/receipt.ts'
import type { Caller } from '../mcp/caller.ts'
import * as agents from './handlers/agents.ts'
import * as channels from './handlers/channels.ts'
import * as directives from './handlers/directives.ts'
import type { Services } from './services.ts'

/** One request to the MCP server, whose packages are loaded only when somebody uses it. */
export const answerMcp = async (
  services: Services,
  actor: Actor,
  cwd: string | undefined,
  request: Request,
): Promise<Response> => {
  const { serveMcp } = await import('../mcp/server.ts')
  return serveMcp(request, callerOf(services, actor, ownDirectory(services, actor) ?? cwd ?? ''))
}

const ownDirectory = ({ supervisor }: Services, actor: Actor): string | undefined =>
  actor.kind === 'agent' ? supervisor.get(actor.id)?.cwd : undefined

const callerOf = (services: Services, actor: Actor, cwd: string): Caller => ({
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

/** Whoever calls this is a model, too: it gets the text as what it is, somebody's directive to an agent. */
const fenced = ({ directive }: Item, part: number) => {
  const partCount = partsOf(directive).length
  if (part > partCount) throw new ReinError('usage', `There are ${partCount} parts.`)
  const more = part < partCount ? [`For the rest: read_inbox with part ${part + 1}.`] : []
  return { parts: [part], partCount, text: [renderPart(directive, part), ...more].join('\n\n') }
}
