import type { Agents } from '../../agents/agents.ts'
import type { Base } from '../../base/base.ts'
import { isAlive } from '../../contract/agent.ts'
import type { AgentReceipt, directiveRoutes, InboxItemView } from '../../contract/routes/directives.ts'
import type { Handlers } from '../../contract/routes/route.ts'
import { channelOf, type Receipt, type ReceiptState } from '../../contract/directive.ts'
import { ReinError } from '../../contract/errors.ts'
import { continueCommand } from '../../contract/handle.ts'
import { chooseId, matchesId } from '../../contract/ids.ts'
import type { Actor } from '../../contract/identity.ts'
import { userMember, wayOf } from '../../contract/person.ts'
import { isClosed, isKeptBack, type Item, toReceipt } from './receipt.ts'
import { directivesNamed, findItem, itemsOf } from './store.ts'
import { redact } from '../../base/redact/redact.ts'
import { isEndedRun } from '../../agents/identity/owners.ts'
import type { Delivery } from './delivery.ts'
import type { Inbox } from './inbox.ts'
import type { InboxNeeds } from './needs.ts'

/** What the handlers of directives work with. */
export interface InboxParts extends Base, Agents {
  inbox: Inbox
  delivery: Delivery
  others: InboxNeeds
}

type DirectiveHandlers = Handlers<typeof directiveRoutes>

export const directiveHandlers = (parts: InboxParts): DirectiveHandlers => ({
  tell: tellAgent(parts),
  inbox: listInbox(parts),
  receipts: listReceipts(parts),
  receipt: ({ params }) => findReceipt(parts, resolveId(parts, params.id)),
  follow: followReceipt(parts),
  read: readDirective(parts),
  ack: ackDirective(parts, 'rein ack'),
  cancel: async ({ actor, params }) => {
    const id = resolveId(parts, params.id)
    const held = heldReceipt(parts, id)
    if (held === null || !(await parts.others.channels.incoming.drop(id, actor)))
      return toReceipt(await parts.inbox.cancel(findDirective(parts, id), actor))
    return { ...held, state: 'cancelled', steps: [...held.steps, { state: 'cancelled', at: parts.now() }] }
  },
})

const listLimit = 1000
/** Parts per `rein inbox read` of an agent: its shell tool cuts longer output. */
const partsPerRead = 2
const writtenMs = 1500

export const tellAgent =
  (parts: InboxParts): DirectiveHandlers['tell'] =>
  async ({ actor, input }) => {
    const to = await parts.finder.named(input)
    if (isEndedRun(to))
      throw new ReinError(
        'not_running',
        `${to.handle} was a run that has ended.`,
        `Go on with it: ${continueCommand(to)}`,
      )
    const { id: agentId, project, handle } = to
    const { text, count } = redact(input.text)
    const { id, type, priority, expiresInMs } = input
    const from = authorOf(actor, input.from)
    const agent = { id: agentId, project, handle }
    const sender: Actor = actor.kind === 'user' ? { ...actor, name: from } : actor
    const isKnown = id !== undefined && findItem(parts.reader, id) !== undefined
    // What will happen is told from what is: accepting it may wake the agent already.
    const before = parts.supervisor.get(agentId)
    const delivery = before === null ? '' : parts.delivery.describe(before, { sender, priority })
    const accepted = await parts.inbox.accept({ id, agent, from, sender, type, priority, text, expiresInMs })
    const now = parts.supervisor.get(agentId)
    if (now !== null && !isAlive(now.state)) parts.inbox.holdItem(accepted, 'not_running')
    const receipt = toReceipt(parts.inbox.current(accepted))
    const said = isKnown ? `${handle} was told this before: it is ${receipt.state}.` : delivery
    if (count === 0) return { ...receipt, project, delivery: said }
    const secrets = count === 1 ? 'A secret was' : `${count} secrets were`
    const hint = `${secrets} taken out of the text: hand secrets over by file or environment.`
    return { ...receipt, project, delivery: `${said} ${hint}` }
  }

/** A person may say in whose name they write, but not from a device: an agent would take it for that one's word. */
export const authorOf = (actor: Actor, claimed: string): string => {
  if (actor.kind === 'agent') return actor.handle
  return actor.kind === 'user' && actor.via !== undefined ? userMember : redact(claimed).text
}

/** The directive, or the message that waits to become one, that a typed part of its id means. */
export const resolveId = ({ reader, others }: InboxParts, given: string): string => {
  const held = others.channels.incoming.held().map(({ message }) => message.id)
  return chooseId(given, [
    ...new Set([...directivesNamed(reader, given), ...held.filter((id) => matchesId(id, given))]),
  ])
}

export const findDirective = (parts: InboxParts, id: string): Item => {
  const item = findItem(parts.reader, id)
  if (item === undefined)
    throw new ReinError('unknown_directive', `There is no directive ${id}.`, 'List them: rein inbox --all')
  return isClosed(item) ? item : parts.inbox.current(item)
}

/** Of the agent that is named, else of the one that asks, else of the project that is named, else of all. */
export const listInbox =
  (parts: InboxParts): DirectiveHandlers['inbox'] =>
  async ({ actor, input }) => {
    const agent = (await parts.finder.namedOrSelf(actor, input))?.id ?? null
    const project = parts.finder.namedProject(input)
    const items = input.all
      ? itemsOf(parts.reader, { agent, project }, listLimit).map((item) => parts.inbox.current(item))
      : parts.inbox.openItems(agent).filter(({ directive }) => project === null || directive.agent.project === project)
    return items.filter((item) => maySee(parts, actor, item)).map(viewItem)
  }

/** Open ones as they are now, also before that is on disk. */
const listReceipts =
  (parts: InboxParts): DirectiveHandlers['receipts'] =>
  async ({ input }) => {
    const { id } = await parts.finder.named(input)
    return itemsOf(parts.reader, { agent: id, project: null }, input.lines).map((item) =>
      receiptWithText(parts.inbox.current(item)),
    )
  }

const receiptWithText = (item: Item): AgentReceipt => {
  const { agent, sender, from, type, priority, text, acceptedAt: at, expiresAt } = item.directive
  return { ...toReceipt(item), project: agent.project, sender, from, type, priority, text, at, expiresAt }
}

/** An agent sees what is for its own team; what is kept back from it is not read by it in another way either. */
const maySee = ({ others, supervisor }: InboxParts, actor: Actor, item: Item): boolean => {
  const { origin, agent } = item.directive
  if (actor.kind !== 'agent') return true
  if (supervisor.get(actor.id)?.project !== agent.project) return false
  if (origin === undefined) return true
  return !isKeptBack(item) && others.channels.mayHear(actor.id, channelOf(origin))
}

const findReceipt = (parts: InboxParts, id: string): Receipt =>
  heldReceipt(parts, id) ?? toReceipt(findDirective(parts, id))

/** What came in on a channel and waits is no directive yet. */
const heldReceipt = ({ reader, others }: InboxParts, id: string): Receipt | null => {
  const waiting = others.channels.incoming.held().find(({ message }) => message.id === id)
  if (waiting === undefined || findItem(reader, id) !== undefined) return null
  const { message, agent, reason } = waiting
  return { id, handle: agent?.handle ?? '-', state: 'held', steps: [{ state: 'held', at: message.at, reason }] }
}

export const readDirective =
  (parts: InboxParts): DirectiveHandlers['read'] =>
  ({ actor, params, input }) => {
    const id = resolveId(parts, params.id)
    const item = findDirective(parts, id)
    if (!maySee(parts, actor, item))
      throw new ReinError(
        'refused',
        `${id} is not for you to read: it is another team’s, or came from outside while you run your tools without asking.`,
      )
    return { id, ...parts.inbox.read(item, actor, input.part, partsPerRead) }
  }

/** `by`: the command or tool that acknowledges. */
export const ackDirective =
  (parts: InboxParts, by: string): DirectiveHandlers['ack'] =>
  async ({ actor, params, input }) => {
    const id = resolveId(parts, params.id)
    await awaitWritten(parts, id)
    const item = findDirective(parts, id)
    const detail = wayOfAck(actor, by)
    const note = input.note === undefined ? undefined : redact(input.note).text
    return toReceipt(await parts.inbox.ack(item, actor, note, { source: 'command', detail }))
  }

export const wayOfAck = (actor: Actor, by: string): string =>
  wayOf(actor, `${by} by ${actor.kind === 'agent' ? actor.handle : 'a person'}`)

/** The CLI writes its transcript a little after it acts: the call that acknowledges may be here before its own entry. */
const awaitWritten = async (parts: InboxParts, id: string): Promise<void> => {
  const deadline = parts.now() + writtenMs
  for (let left = writtenMs; left > 0; left = deadline - parts.now()) {
    const { state, directive } = findDirective(parts, id)
    if (state !== 'offered' && state !== 'placed') return
    await parts.supervisor.find(directive.agent.id)?.conversation.catchUp(left)
  }
}

const order: readonly ReceiptState[] = ['queued', 'held', 'offered', 'placed', 'seen', 'acked']

/** The receipt now and at each change, until it has come as far as asked. */
const followReceipt = (parts: InboxParts): DirectiveHandlers['follow'] =>
  async function* ({ params, input: { until }, signal }) {
    const id = resolveId(parts, params.id)
    let shown = ''
    while (!signal.aborted) {
      const news = parts.inbox.nextStep(id, signal)
      const now = findReceipt(parts, id)
      const step = `${now.state} ${now.steps.length}`
      if (step !== shown) yield now
      shown = step
      if (now.state !== 'held') {
        const item = findDirective(parts, id)
        const isFar = until !== 'closed' && order.indexOf(item.state) >= order.indexOf(until)
        if (isFar || isClosed(item)) return
      }
      await news
    }
  }

const excerptLength = 120

/** A directive as a list shows it. */
const viewItem = ({ directive, state }: Item): InboxItemView => {
  const { id, agent, type, priority, from, acceptedAt, expiresAt, text } = directive
  const line = text.replace(/\s+/g, ' ').trim()
  const excerpt = line.length > excerptLength ? `${line.slice(0, excerptLength - 1)}…` : line
  return {
    id,
    handle: agent.handle,
    project: agent.project,
    state,
    type,
    priority,
    from,
    at: acceptedAt,
    expiresAt,
    length: text.length,
    excerpt,
  }
}
