import type { ConversationEntry } from '../../contract/conversation.ts'
import { parseObject, textOf } from '../../base/util/json.ts'
import type { Json } from '../json.ts'
import { toEntry } from './transcript.ts'

/** An entry of the main conversation and the lines that belong to it. */
export interface Group {
  /** Which line of the file it is. */
  line: number
  entry: ConversationEntry
  /** Those that name it. */
  named: Json[]
  /** Those behind it that name nothing. */
  notes: Json[]
}

export interface Groups {
  /** Lines before the first entry. */
  head: Json[]
  groups: Group[]
  damaged: Damaged[]
}

/** A line that could not be read. */
interface Damaged {
  line: number
  text: string
}

/** A transcript in the order of its conversation, each entry once. */
export const groupLines = (lines: readonly string[]): Groups => {
  const { head, groups, damaged }: Groups = { head: [], groups: [], damaged: [] }
  const naming = new Map<string, Json[]>()
  const known = new Set<string>()
  let notes = head
  for (const [index, line] of lines.entries()) {
    const raw = parseObject(line)
    const entry = raw === null ? null : toEntry(raw)
    if (raw === null) {
      if (line.trim() !== '') damaged.push({ line: index + 1, text: line })
    } else if (entry === null) {
      // File snapshots and titles name an entry, and may come before it.
      ;(listFor(naming, textOf(raw.messageId) ?? textOf(raw.leafUuid)) ?? notes).push(raw)
    } else if (!known.has(entry.id)) {
      known.add(entry.id)
      if (entry.link !== 'progress') notes = []
      const named = listFor(naming, entry.id) ?? []
      groups.push({ line: index + 1, entry, named, notes: entry.link === 'progress' ? [] : notes })
    }
  }
  return { head, groups: inOrder(groups), damaged }
}

const listFor = (lists: Map<string, Json[]>, name: string | null): Json[] | null => {
  if (name === null) return null
  const list = lists.get(name) ?? []
  lists.set(name, list)
  return list
}

/** The CLI may write an entry before the one that it follows. */
const inOrder = (groups: readonly Group[]): Group[] => {
  const missing = new Set(groups.map(({ entry }) => entry.id))
  const waiting = new Map<string, Group[]>()
  const ordered: Group[] = []
  for (const group of groups) {
    const { parent } = group.entry
    if (parent !== null && missing.has(parent)) {
      waiting.set(parent, [...(waiting.get(parent) ?? []), group])
      continue
    }
    const next = [group]
    for (const { entry } of next) {
      missing.delete(entry.id)
      next.push(...(waiting.get(entry.id) ?? []))
    }
    ordered.push(...next)
  }
  return ordered
}
