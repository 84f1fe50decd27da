import { userInfo } from 'node:os'
import { z } from 'zod'
import { ReinError } from '../../contract/errors.ts'
import type { AllRoutes, RouteName } from '../../contract/routes/all.ts'
import type { OutputOf } from '../../contract/routes/route.ts'
import { asked, quoted, tool, type ToolCaller } from '../../mcp/tool.ts'
import { AckInput, type InboxItemView } from '../../contract/routes/directives.ts'
import { Priority } from '../../contract/directive.ts'
import { partsOf, renderPart } from './fence.ts'
import {
  ackDirective,
  findDirective,
  type InboxParts,
  listInbox,
  readDirective,
  resolveId,
  tellAgent,
} from './handlers.ts'

const directiveId = z.string().min(1).describe('dir_…')

/** A long list would fill the context of whoever asked. */
const listLimit = 20

type Answer<Name extends RouteName> = Promise<OutputOf<AllRoutes[Name]>>

/** What the tools ask and do, each as whoever calls them. */
export interface InboxAnswers {
  inbox(caller: ToolCaller): Answer<'inbox'>
  /** Refuses what is for another agent. */
  read(caller: ToolCaller, id: string, part: number | null): Answer<'read'>
  ack(caller: ToolCaller, id: string, note: string | undefined): Answer<'ack'>
  tell(caller: ToolCaller, message: { agent: string; text: string; priority: Priority }): Answer<'tell'>
}

/** The answers of the routes, with what is different for a model. */
export const inboxAnswers = (parts: InboxParts): InboxAnswers => ({
  inbox: async ({ actor, cwd }) => listInbox(parts)(asked(actor, { cwd, all: false })),
  read: async ({ actor }, given, part) => {
    const id = resolveId(parts, given)
    const { directive } = findDirective(parts, id)
    if (actor.kind === 'agent' && actor.id !== directive.agent.id)
      throw new ReinError('wrong_agent', `${id} is not for ${actor.handle}.`, 'read_inbox without id lists yours.')
    if (actor.kind === 'agent') return readDirective(parts)({ ...asked(actor, { part }), params: { id } })
    // The caller is a model as well: the fence shows that the text is a directive to another agent.
    const [wanted, partCount] = [part ?? 1, partsOf(directive).length]
    if (wanted > partCount) throw new ReinError('usage', `There are ${partCount} parts.`)
    const more = wanted < partCount ? [`For the rest: read_inbox with part ${wanted + 1}.`] : []
    return { id, parts: [wanted], partCount, text: [renderPart(directive, wanted), ...more].join('\n\n') }
  },
  ack: async ({ actor }, id, note) => {
    if (actor.kind === 'agent')
      return ackDirective(parts, 'ack_directive')({ ...asked(actor, { note }), params: { id } })
    throw new ReinError(
      'forbidden',
      'Only the agent it is for may acknowledge a directive.',
      'Rein does not know you as an agent.',
    )
  },
  tell: async ({ actor, cwd }, { agent, text, priority }) =>
    tellAgent(parts)(
      asked(actor, {
        target: agent,
        cwd,
        text,
        type: 'directive',
        priority,
        // A model wrote this, even if it is not an agent of Rein's.
        from: `an MCP client of ${userInfo().username}`,
        expiresInMs: null,
      }),
    ),
})

export const inboxTools = (inbox: InboxAnswers) => ({
  read_inbox: tool({
    description:
      'Lists your open directives. With id: the text of that one; a long text comes in parts, call again for the next.',
    input: z.object({
      id: directiveId.optional(),
      part: z.number().int().positive().optional().describe('one certain part of a long text'),
    }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, { id, part }) =>
      id === undefined ? inboxText(await inbox.inbox(caller)) : (await inbox.read(caller, id, part ?? null)).text,
  }),
  ack_directive: tool({
    description: 'Says that you have understood a directive and act on it. Its sender gets to know.',
    input: z.object({ id: directiveId, note: AckInput.shape.note.describe('what to tell the sender') }),
    isReadOnly: false,
    isFree: true,
    run: async (caller, { id, note }) => {
      const receipt = await inbox.ack(caller, id, note)
      return `${receipt.id} is ${receipt.state}.`
    },
  }),
  tell_agent: tool({
    description: 'Tells another agent something. It is stored, and the agent gets it at its next opportunity.',
    input: z.object({
      agent: z.string().min(1).describe('its handle, or project/handle; list_agents shows them'),
      text: z.string().min(1),
      priority: Priority.default('normal'),
    }),
    isReadOnly: false,
    isFree: false,
    run: async (caller, message) => {
      const told = await inbox.tell(caller, message)
      return `${told.id} is ${told.state} for ${told.handle}. ${told.delivery}`
    },
  }),
})

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
