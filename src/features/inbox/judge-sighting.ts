import type { OfferVia } from '../../contract/directive.ts'
import type { Evidence } from '../../contract/identity.ts'
import { lacksProof } from './choose-offers.ts'
import { isClosed, type Item } from './receipt.ts'

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
  const complete = isComplete(item, sighting)
  if (item.state === 'placed' || item.state === 'seen') {
    if (!complete) return [requeued('left_context', conversation, sighting.repliedWithout)]
    return item.state === 'placed' ? seen(sighting, conversation) : []
  }
  if (complete) return [placed(sighting, conversation), ...seen(sighting, conversation)]
  const nothingThere = sighting.parts.size === 0
  if (item.state === 'offered' && nothingThere && !lacksProof(item) && sighting.repliedWithout !== null) {
    return [requeued('evidence_missing', conversation, sighting.repliedWithout)]
  }
  return []
}

const isComplete = (item: Item, { parts }: Sighting): boolean => {
  for (let part = 1; part <= item.partCount; part += 1) if (!parts.has(part)) return false
  return true
}

const lastEntry = ({ parts }: Sighting): string | undefined => [...parts].toSorted(([a], [b]) => a - b).at(-1)?.[1]

const placed = (sighting: Sighting, conversation: string): Verdict => ({
  kind: 'placed',
  evidence: { source: 'transcript', conversation, entry: lastEntry(sighting) },
})

const seen = (sighting: Sighting, conversation: string): Verdict[] => {
  if (sighting.descendant === null) return []
  const entry = lastEntry(sighting)
  return [{ kind: 'seen', evidence: { source: 'transcript', conversation, entry, descendant: sighting.descendant } }]
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
export const entryKinds = {
  context: ['hook_context'],
  unwritten: ['hook_context'],
  feedback: ['feedback', 'hook_context'],
  denial: ['tool_result'],
  read: ['tool_result'],
  prompt: ['prompt', 'queued_prompt'],
} as const satisfies Record<OfferVia, readonly string[]>
