import type { ConversationEntry } from '../../contract/conversation.ts'
import { isObject } from '../../util/ndjson.ts'
import { ConversationGraph } from '../conversation.ts'
import { refuseDamaged, refuseUnknown } from '../cut-prefix.ts'
import type { Group, Groups, Json } from './cut-groups.ts'

/** The groups whose entries led to this one, which is the last. */
export const keptOf = ({ groups, damaged }: Groups, after: string): Group[] => {
  const ids = lineageOf(groups, after)
  const end = groups.findLastIndex(({ entry }) => ids.has(entry.id)) + 1
  const kept = groups.filter(({ entry }) => ids.has(entry.id))
  const lost = damaged.filter((line) => line < (kept.at(-1)?.line ?? 0))
  if (hasGap(groups, groups.slice(0, end), ids, lost.length > 0)) refuseDamaged(lost)
  return kept
}

/** No parent link leads to what a compaction has summed up, nor always to its summary. */
const lineageOf = (groups: readonly Group[], after: string): Set<string> => {
  const graph = new ConversationGraph()
  for (const { entry } of groups) graph.add(entry)
  const ids = graph.lineage(endOf(groups, after))
  if (ids.size === 0) refuseUnknown(after)
  const end = groups.findLastIndex(({ entry }) => ids.has(entry.id))
  const before = groups.slice(0, end + 1).map(({ entry }) => entry)
  const compactions = before.filter(({ kind }) => kind === 'compaction')
  const around = compactions.flatMap(({ id, raw }) => [id, ...summariesOf(id, before), ...summedUpBy(raw)])
  return new Set([...ids, ...graph.lineage(around)])
}

/** Progress is written late: it may come last in a turn, but what it hangs on does not. */
const endOf = (groups: readonly Group[], after: string): string[] => {
  const upTo = groups.slice(0, groups.findIndex(({ entry }) => entry.id === after) + 1)
  const last = upTo.findLast(({ entry }) => entry.link !== 'progress')
  return last === undefined ? [] : [last.entry.id]
}

const summariesOf = (compaction: string, entries: readonly ConversationEntry[]): string[] =>
  entries.filter(({ raw, parent }) => raw.isCompactSummary === true && parent === compaction).map(({ id }) => id)

/** The last entry before it, and those that it left in the context. */
const summedUpBy = ({ logicalParentUuid, compactMetadata }: Json): string[] => {
  const { preservedSegment: segment, preservedMessages: messages } = isObject(compactMetadata) ? compactMetadata : {}
  const ends = isObject(segment) ? [segment.headUuid, segment.tailUuid] : []
  const listed: unknown[] = isObject(messages) ? [messages.uuids, messages.allUuids].flat() : []
  return [logicalParentUuid, ...ends, ...listed].filter((id) => typeof id === 'string')
}

/** What stood in a line that cannot be read nobody can tell, but whether something of the conversation is missing. */
const hasGap = (all: readonly Group[], before: readonly Group[], ids: Set<string>, isDamaged: boolean): boolean => {
  const known = new Set(all.map(({ entry }) => entry.id))
  const entries = before.map(({ entry }) => entry)
  const isLoose = ({ id, parent }: ConversationEntry): boolean =>
    parent !== null && !known.has(parent) && (isDamaged || ids.has(id))
  return entries.some(isLoose) || (isDamaged && hasOpenCall(entries.filter(({ id }) => ids.has(id))))
}

const hasOpenCall = (entries: readonly ConversationEntry[]): boolean => {
  const blocks = entries.flatMap((entry) => entry.blocks)
  const results = new Set(blocks.map((block) => (block.type === 'tool_result' ? block.id : null)))
  return blocks.some((block) => block.type === 'tool_use' && !results.has(block.id))
}
