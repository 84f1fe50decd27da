import type { ConversationEntry, ConversationView } from '../contract/conversation.ts'
import { entryKinds, type Sighting } from './decide.ts'
import { findFences } from './fence.ts'
import type { Item } from './receipt.ts'

interface Spot {
  entry: string
  kind: ConversationEntry['kind']
  nonce: string
  part: number
}

/** Where the fences of directives stand in one conversation. */
export class Sightings {
  readonly #spots = new Map<string, Spot[]>()

  index(entry: ConversationEntry): void {
    for (const { id, nonce, part } of findFences(entry.text)) {
      const spots = this.#spots.get(id) ?? []
      this.#spots.set(id, [...spots, { entry: entry.id, kind: entry.kind, nonce, part }])
    }
  }

  /** Only text in an entry of the kind that the offer makes, in the present context, with the right nonce, counts. */
  look(item: Item, view: ConversationView): Sighting {
    const parts = this.#partsOf(item, view.present())
    return {
      parts,
      descendant: parts.size < item.partCount ? null : view.firstReplyBehind([...parts.values()]),
      repliedWithout: item.offeredAt === null ? null : (view.repliesAfter(item.offeredAt)[0] ?? null),
    }
  }

  #partsOf(item: Item, present: ReadonlySet<string>): Map<number, string> {
    const spots = (this.#spots.get(item.directive.id) ?? []).filter(
      (spot) => spot.nonce === item.directive.nonce && present.has(spot.entry) && wasOffered(item, spot),
    )
    return new Map(spots.map((spot) => [spot.part, spot.entry]))
  }
}

const wasOffered = (item: Item, { part, kind }: Spot): boolean =>
  item.offers.some((offer) => offer.part === part && (entryKinds[offer.via] as readonly string[]).includes(kind))
