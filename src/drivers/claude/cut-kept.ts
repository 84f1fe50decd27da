import type { ConversationEntry } from '../../contract/conversation.ts'
import { isObject } from '../../base/util/json.ts'
import { ConversationGraph } from '../conversation.ts'
import { refuseDamaged, refuseUnknown } from '../cut-prefix.ts'
import { asObject, type Json } from '../json.ts'
import type { Group, Groups } from './cut-groups.ts'

/** The groups whose entries led to this one, which is the last. */
export const keepLineage = ({ groups, damaged }: Groups, after: string): Group[] => {
  const ids = lineageOf(groups, after)
  const kept = groups.filter(({ entry }) => ids.has(entry.id))
  const known = new Set(groups.map(({ entry }) => entry.id))
  const end = kept.at(-1)?.line ?? 0
  // A truncated line still begins with its type or its parent.
  const lost = damaged.filter(({ line, text }) => {
    if (line >= end) return false
    const [, type] = /^\{"type":"([a-z-]+)"/.exec(text) ?? []
    if (type !== undefined) return entryTypes.includes(type)
    const [, parent] = /^\{"parentUuid":"([0-9a-f-]+)"/.exec(text) ?? []
    return parent === undefined || ids.has(parent) || !known.has(parent)
  })
  const isBroken = kept.some(({ entry: { parent } }) => parent !== null && !known.has(parent))
  if (isBroken || lost.length > 0) refuseDamaged(lost.map(({ line }) => line))
  return kept
}

const entryTypes = ['user', 'assistant', 'attachment', 'system', 'progress']

/** No parent link leads to what a compaction has summed up, nor always to its summary. */
const lineageOf = (groups: readonly Group[], after: string): Set<string> => {
  const graph = new ConversationGraph()
  for (const { entry } of groups) graph.add(entry)
  // Progress is written late: it may be the last entry of a turn, but its parent is not.
  const upTo = groups.slice(0, groups.findIndex(({ entry }) => entry.id === after) + 1)
  const last = upTo.findLast(({ entry }) => entry.link !== 'progress')
  const ids = graph.lineage(last === undefined ? [] : [last.entry.id])
  if (ids.size === 0) refuseUnknown(after)
  const end = groups.findLastIndex(({ entry }) => ids.has(entry.id))
  const before = groups.slice(0, end + 1).map(({ entry }) => entry)
  const compactions = before.filter(({ kind }) => kind === 'compaction')
  const summaries = before.filter(({ raw }) => raw.isCompactSummary === true)
  const around = compactions.flatMap((compaction) => [
    compaction.id,
    ...summaries.filter(({ parent }) => parent === compaction.id).map(({ id }) => id),
    ...summedUpBy(compaction.raw),
  ])
  return withHanging(before, new Set([...ids, ...graph.lineage(around)]))
}

/** What hooks said before a tool ran hangs on its call, as the result does; and a turn may end with a note. */
const withHanging = (entries: readonly ConversationEntry[], ids: Set<string>): Set<string> => {
  const calls = new Set(
    entries.filter(({ blocks }) => blocks.some(({ type }) => type === 'tool_use')).map(({ id }) => id),
  )
  for (const { id, parent, link } of entries) {
    if (parent === null || !ids.has(parent)) continue
    const isContext = link === 'attachment' && calls.has(parent)
    if (isContext) calls.add(id)
    if (isContext || link === 'note') ids.add(id)
  }
  return ids
}

/** The last entry before it, and those that it left in the context. */
const summedUpBy = ({ logicalParentUuid, compactMetadata }: Json): string[] => {
  const { preservedSegment: segment, preservedMessages: messages } = asObject(compactMetadata)
  const ends = isObject(segment) ? [segment.headUuid, segment.tailUuid] : []
  const listed: unknown[] = isObject(messages) ? [messages.uuids, messages.allUuids].flat() : []
  return [logicalParentUuid, ...ends, ...listed].filter((id) => typeof id === 'string')
}
