import { EventEmitter } from 'node:events'
import { userInfo } from 'node:os'
import type { Agents, OwnWords } from '../../agents/agents.ts'
import { journalStep } from '../../agents/view/journal-entries.ts'
import type { Base } from '../../base/base.ts'
import { tellLoss } from '../../base/tell-loss.ts'
import { channelOf, type Origin, type ReceiptState } from '../../contract/directive.ts'
import { ReinError } from '../../contract/errors.ts'
import type { AgentRef } from '../../contract/identity.ts'
import type { directiveRoutes } from '../../contract/routes/directives.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import { partsOf, renderPart } from './fence.ts'
import { Inbox } from './inbox.ts'
import { isClosed, type Item } from './receipt.ts'
import { inboxResponder } from './responder.ts'
import { findItem, openItems } from './store.ts'
import { urgentResponder } from './urgent.ts'
import { isNotice } from '../team/notices.ts'
import { randomBytes } from '../../base/util/random.ts'
import type { Feature } from '../feature.ts'
import { Delivery } from './delivery.ts'
import * as handlers from './handlers.ts'
import { type InboxAnswers, inboxTools } from './mcp-tools.ts'
import { sayTo, withdraw } from './own-words.ts'
import type { InboxNeeds, InboxParts } from './parts.ts'

export interface InboxApi {
  inbox: Inbox
  /** Wakes the agent if something waits for it. */
  consider: (agent: string) => void
  say: (agent: AgentRef, words: OwnWords) => Promise<unknown>
  withdraw: (agent: string, types: readonly string[]) => Promise<void>
}

/** States that only an agent which takes things in brings about. */
const progress: readonly ReceiptState[] = ['placed', 'seen', 'acked']

/** Directives, their receipts, and how agents get to know of them. */
export const inbox: Feature<'inbox', typeof directiveRoutes, InboxNeeds, InboxApi> = {
  name: 'inbox',
  create: (base, agents, others) => {
    const steps = new EventEmitter().setMaxListeners(0)
    const mayHear = (id: string, origin: Origin, mode: string | undefined): boolean =>
      others.channels.mayHear(id, channelOf(origin), mode)
    const all = createInbox(base, steps, (item) => {
      const { id } = item.directive.agent
      if (item.state === 'queued') delivery.consider(id)
      if (progress.includes(item.state)) delivery.onProgress(id)
      if (isClosed(item)) void others.channels.incoming.pass()
      if (isClosed(item) && isNotice(item)) others.team.onNoticeClosed(id)
    })
    const delivery: Delivery = createDelivery(base, agents, others, all, mayHear)
    const parts: InboxParts = { ...base, ...agents, inbox: all, delivery, steps, others }
    const hooks = { ...agents.hooks, mayHear }
    return {
      handlers: handlersOf(parts),
      responders: [urgentResponder(all, hooks), inboxResponder(all, hooks, base.settings['inbox.stop_blocks'])],
      watchers: [delivery],
      mcpTools: inboxTools(toolAnswers(parts)),
      start: () => delivery.start(),
      stop: () => {
        delivery.stop()
        all.stop()
      },
      reload: () => all.reload(),
      api: {
        inbox: all,
        consider: (agent) => delivery.consider(agent),
        say: (agent, words) => sayTo(all, agent, words),
        withdraw: (agent, types) => withdraw(all, agent, types),
      },
    }
  },
}

const createInbox = (
  { log, reader, journal, settings, now, newId }: Base,
  steps: EventEmitter,
  onStep: (item: Item) => void,
): Inbox =>
  new Inbox(
    {
      append: async (records) => {
        const seqs = await log.append(records).catch(tellLoss(journal, 'inbox'))
        // What has ended is no longer remembered: whoever follows it finds it only now.
        for (const { cause } of records) steps.emit(cause ?? '')
        return seqs
      },
      load: () => openItems(reader),
      find: (id) => findItem(reader, id),
      now,
      newId,
      newNonce: () => randomBytes(8).toString('hex'),
      onStep: (item, record) => {
        journalStep(journal, item, record)
        steps.emit(item.directive.id, item)
        onStep(item)
      },
    },
    {
      maxOpen: settings['inbox.limit'],
      maxOpenOfAgent: settings['inbox.agent_limit'],
      maxTextBytes: settings['inbox.max_text_bytes'],
      ackDeadlineMs: settings['inbox.ack_deadline_s'] * 1000,
    },
  )

/** When and how agents get to know what waits for them. */
const createDelivery = (
  { journal, settings, now }: Base,
  { supervisor, healing, contexts }: Agents,
  others: InboxNeeds,
  all: Inbox,
  mayHear: (id: string, origin: Origin, mode: string | undefined) => boolean,
): Delivery =>
  new Delivery({
    inbox: all,
    supervisor,
    journal,
    healing,
    mayHear,
    fullness: (id) => contexts.fullness(id),
    pollMs: (id) => others.team.pollMs(id),
    now,
    cadence: {
      isEnabled: settings['notify.enabled'],
      quietMs: settings['inbox.interrupt_quiet_s'] * 1000,
      gatherMs: settings['notify.check_s'] * 1000,
      cooldownMs: settings['notify.cooldown_s'] * 1000,
      graceMs: settings['notify.startup_grace_s'] * 1000,
      maxWaitMs: settings['notify.max_wait_s'] * 1000,
      pollMs: settings['notify.safety_poll_s'] * 1000,
    },
  })

const handlersOf = (parts: InboxParts): Handlers<typeof directiveRoutes> => ({
  tell: ({ actor, input }) => handlers.tell(parts, actor, input),
  inbox: ({ actor, input }) => handlers.inbox(parts, actor, input),
  receipt: ({ params }) => handlers.receipt(parts, params.id),
  follow: ({ params, input, signal }) => handlers.follow(parts, params.id, input, signal),
  read: ({ actor, params, input }) => handlers.read(parts, actor, params.id, input),
  ack: ({ actor, params, input }) => handlers.ack(parts, actor, params.id, input),
  cancel: ({ actor, params }) => handlers.cancel(parts, actor, params.id),
})

const toolAnswers = (parts: InboxParts): InboxAnswers => ({
  inbox: ({ actor, cwd }) => handlers.inbox(parts, actor, { cwd, all: false }),
  read: async ({ actor }, id, part) => {
    const item = handlers.find(parts, id)
    if (actor.kind !== 'agent') return { id, ...fenced(item, part ?? 1) }
    if (actor.id !== item.directive.agent.id)
      throw new ReinError('wrong_agent', `${id} is not for ${actor.handle}.`, 'read_inbox without id lists yours.')
    return handlers.read(parts, actor, id, { part })
  },
  ack: async ({ actor }, id, note) => {
    if (actor.kind === 'agent') return handlers.ack(parts, actor, id, { note }, 'ack_directive')
    throw new ReinError(
      'forbidden',
      'Only the agent it is for may acknowledge a directive.',
      'Rein does not know you as an agent.',
    )
  },
  tell: ({ actor, cwd }, { agent, text, priority }) =>
    handlers.tell(parts, actor, {
      target: agent,
      cwd,
      text,
      type: 'directive',
      priority,
      // Words of a model, also where nobody knows whose.
      from: `an MCP client of ${userInfo().username}`,
      expiresInMs: null,
    }),
})

/** Whoever calls this is a model, too: it gets the text as what it is, somebody's directive to an agent. */
const fenced = ({ directive }: Item, part: number) => {
  const partCount = partsOf(directive).length
  if (part > partCount) throw new ReinError('usage', `There are ${partCount} parts.`)
  const more = part < partCount ? [`For the rest: read_inbox with part ${part + 1}.`] : []
  return { parts: [part], partCount, text: [renderPart(directive, part), ...more].join('\n\n') }
}
