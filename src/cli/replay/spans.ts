import type { ConversationEntry } from '../../contract/conversation.ts'

/** The entries with which a turn begins and ends. */
export interface Span {
  first: string
  last: string
}

/** The turns of a conversation: each begins with a prompt, and ends before the next one. */
export const spansOf = (entries: readonly ConversationEntry[]): Span[] => {
  const spans: Span[] = []
  const known = new Set<string>()
  for (const { id, kind, link } of entries) {
    // Entries are repeated around compactions; progress is no part of what was said.
    if (known.has(id) || link === 'progress') continue
    known.add(id)
    if (kind === 'prompt') spans.push({ first: id, last: id })
    const current = spans.at(-1)
    if (current !== undefined) current.last = id
  }
  return spans
}
