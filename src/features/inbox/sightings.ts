import type { AgentWatcher } from '../../agents/agent-events.ts'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { ConversationEntry, ConversationView } from '../../contract/conversation.ts'
import type { OfferVia } from '../../contract/directive.ts'
import type { Evidence } from '../../contract/identity.ts'
import { lacksProof } from './choose-offers.ts'
import { findFences, type FoundFence, isFenceOf } from './fence.ts'
import type { Inbox } from './inbox.ts'
import { isClosed, type Item } from './receipt.ts'

interface Spot {
  entry: string
  kind: ConversationEntry['kind']
  fence: FoundFence
}

/** Where the fences of open directives stand in the conversation of each agent. */
export class Sightings implements AgentWatcher {
  /** The spots of each directive, by its agent. */
  readonly #spots = new Map<string, Map<string, Spot[]>>()
  readonly #inbox: Pick<Inbox, 'isOpen'>

  /** Closed directives stay closed: their fences are not kept. */
  constructor(inbox: Pick<Inbox, 'isOpen'>) {
    this.#inbox = inbox
  }

  /** A conversation may be read again from its beginning. */
  onEntry({ id: agent }: Pick<Agent, 'id'>, entry: ConversationEntry): void {
    const known = this.#spots.get(agent) ?? new Map<string, Spot[]>()
    this.#spots.set(agent, known)
    for (const fence of findFences(entry.text)) {
      if (!this.#inbox.isOpen(agent, fence.id)) continue
      const isElsewhere = (spot: Spot): boolean =>
        spot.entry !== entry.id ||
        spot.fence.part !== fence.part ||
        spot.fence.nonce !== fence.nonce ||
        spot.fence.sha256 !== fence.sha256
      const others = (known.get(fence.id) ?? []).filter(isElsewhere)
      known.set(fence.id, [...others, { entry: entry.id, kind: entry.kind, fence }])
    }
  }

  onNewContext({ id }: Agent): void {
    this.#spots.delete(id)
  }

  /** The conversation of an ended agent is read from its beginning when it goes on. */
  onChange({ id, state }: Agent): void {
    if (!isAlive(state)) this.#spots.delete(id)
  }

  /** Whether any entry of its conversation was read. */
  hasRead(agent: string): boolean {
    return this.#spots.has(agent)
  }

  /** Forgets the places of directives that were closed since. */
  prune(agent: string): void {
    const spots = this.#spots.get(agent)
    for (const id of spots?.keys() ?? []) if (!this.#inbox.isOpen(agent, id)) spots?.delete(id)
  }

  /** Only the directive's own text, in an entry of the kind that the offer makes and in the present context, counts. */
  findSighting(item: Item, view: ConversationView): Sighting {
    const { id, agent } = item.directive
    const present = view.present()
    const spots = (this.#spots.get(agent.id)?.get(id) ?? []).filter(
      (spot) => present.has(spot.entry) && wasOffered(item, spot) && isFenceOf(spot.fence, item.directive),
    )
    const parts = new Map(spots.map(({ fence, entry }) => [fence.part, entry]))
    if (parts.size < item.partCount) {
      const [reply = null] = item.offeredAt === null ? [] : view.repliesAfter(item.offeredAt)
      return { parts, descendant: null, repliedWithout: reply }
    }
    // What was seen stays seen while it is there: looking for the reply again is dear in a long conversation.
    const descendant = item.state === 'seen' ? null : view.firstReplyBehind([...parts.values()])
    return { parts, descendant, repliedWithout: null }
  }
}

const wasOffered = (item: Item, { fence, kind }: Spot): boolean =>
  item.offers.some((offer) => offer.part === fence.part && (entryKinds[offer.via] as readonly string[]).includes(kind))

/** What the conversation shows of a directive: on its current chain, in entries of the kind the offer makes. */
export interface Sighting {
  /** Parts that stand in the conversation now, with the entry that holds each. */
  parts: Map<number, string>
  /** A reply of the model that has all of them behind it; not looked for once it was seen. */
  descendant: string | null
  /** The model replied after the last offer, and not all parts are there. */
  repliedWithout: string | null
}

type Verdict =
  | { kind: 'placed'; evidence: Evidence }
  | { kind: 'seen'; evidence: Evidence }
  | { kind: 'requeued'; reason: 'left_context' | 'evidence_missing'; evidence: Evidence }

/** Compares what a receipt says with what the conversation shows; several steps may follow at once. */
export const judgeSighting = (item: Item, sighting: Sighting, conversation: string): Verdict[] => {
  if (isClosed(item) || item.offers.length === 0) return []
  const { parts, descendant, repliedWithout } = sighting
  let isComplete = true
  for (let part = 1; part <= item.partCount; part += 1) isComplete &&= parts.has(part)
  const entry = [...parts].toSorted(([a], [b]) => a - b).at(-1)?.[1]
  const placed: Evidence = { source: 'transcript', conversation, entry }
  const seen: Verdict[] = descendant === null ? [] : [{ kind: 'seen', evidence: { ...placed, descendant } }]
  if (item.state === 'placed' || item.state === 'seen') {
    if (!isComplete) return [requeued('left_context', conversation, repliedWithout)]
    return item.state === 'placed' ? seen : []
  }
  if (isComplete) return [{ kind: 'placed', evidence: placed }, ...seen]
  if (item.state === 'offered' && parts.size === 0 && !lacksProof(item) && repliedWithout !== null)
    return [requeued('evidence_missing', conversation, repliedWithout)]
  return []
}

const requeued = (
  reason: 'left_context' | 'evidence_missing',
  conversation: string,
  entry: string | null,
): Verdict => ({
  kind: 'requeued',
  reason,
  evidence: { source: 'transcript', conversation, ...(entry === null ? {} : { entry }) },
})

/** Which entry kinds can hold text that was handed over in this way. */
const entryKinds = {
  context: ['hook_context'],
  unwritten: ['hook_context'],
  feedback: ['feedback', 'hook_context'],
  denial: ['tool_result'],
  read: ['tool_result'],
  prompt: ['prompt', 'queued_prompt'],
} as const satisfies Record<OfferVia, readonly string[]>
