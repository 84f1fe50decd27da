import type { ConversationEntry, ConversationView } from '../../contract/conversation.ts'
import { entryKinds, type Sighting } from './judge-sighting.ts'
import { findFences, type FoundFence, isFenceOf } from './fence.ts'
import type { Item } from './receipt.ts'

interface Spot {
  entry: string
  kind: ConversationEntry['kind']
  fence: FoundFence
}

/** Where the fences of open directives stand in one conversation. */
export class Sightings {
  readonly #spots = new Map<string, Spot[]>()
  readonly #isOpen: (directive: string) => boolean

  /** What is closed is not opened again: nobody looks for it any more. */
  constructor(isOpen: (directive: string) => boolean) {
    this.#isOpen = isOpen
  }

  /** A conversation may be read again from its beginning. */
  index(entry: ConversationEntry): void {
    for (const fence of findFences(entry.text).filter(({ id }) => this.#isOpen(id))) {
      const others = (this.#spots.get(fence.id) ?? []).filter((spot) => !isSamePlace(spot, entry, fence))
      this.#spots.set(fence.id, [...others, { entry: entry.id, kind: entry.kind, fence }])
    }
  }

  /** Lets go of what was closed since. */
  prune(): void {
    for (const id of this.#spots.keys()) if (!this.#isOpen(id)) this.#spots.delete(id)
  }

  /** Only the directive's own text, in an entry of the kind that the offer makes and in the present context, counts. */
  look(item: Item, view: ConversationView): Sighting {
    const parts = this.#partsOf(item, view.present())
    if (parts.size < item.partCount)
      return { parts, descendant: null, repliedWithout: firstReplySince(item.offeredAt, view) }
    // What was seen stays seen while it is there: looking for the reply again is dear in a long conversation.
    const descendant = item.state === 'seen' ? null : view.firstReplyBehind([...parts.values()])
    return { parts, descendant, repliedWithout: null }
  }

  #partsOf(item: Item, present: ReadonlySet<string>): Map<number, string> {
    const spots = (this.#spots.get(item.directive.id) ?? []).filter(
      (spot) => present.has(spot.entry) && wasOffered(item, spot) && isFenceOf(spot.fence, item.directive),
    )
    return new Map(spots.map(({ fence, entry }) => [fence.part, entry]))
  }
}

const isSamePlace = (spot: Spot, { id }: ConversationEntry, { part, nonce, sha256 }: FoundFence): boolean =>
  spot.entry === id && spot.fence.part === part && spot.fence.nonce === nonce && spot.fence.sha256 === sha256

const firstReplySince = (moment: number | null, view: ConversationView): string | null =>
  moment === null ? null : (view.repliesAfter(moment)[0] ?? null)

const wasOffered = (item: Item, { fence, kind }: Spot): boolean =>
  item.offers.some((offer) => offer.part === fence.part && (entryKinds[offer.via] as readonly string[]).includes(kind))
