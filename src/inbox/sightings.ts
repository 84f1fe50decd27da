import type { ConversationEntry, ConversationView } from '../contract/conversation.ts'
import { entryKinds, type Sighting } from './decide.ts'
import { findFences, type FoundFence, isFenceOf } from './fence.ts'
import type { Item } from './receipt.ts'

interface Spot {
  entry: string
  kind: ConversationEntry['kind']
  fence: FoundFence
}

/** Where the fences of directives stand in one conversation. */
export class Sightings {
  readonly #spots = new Map<string, Spot[]>()

  index(entry: ConversationEntry): void {
    for (const fence of findFences(entry.text)) {
      const spots = this.#spots.get(fence.id) ?? []
      this.#spots.set(fence.id, [...spots, { entry: entry.id, kind: entry.kind, fence }])
    }
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

const firstReplySince = (moment: number | null, view: ConversationView): string | null =>
  moment === null ? null : (view.repliesAfter(moment)[0] ?? null)

const wasOffered = (item: Item, { fence, kind }: Spot): boolean =>
  item.offers.some((offer) => offer.part === fence.part && (entryKinds[offer.via] as readonly string[]).includes(kind))
