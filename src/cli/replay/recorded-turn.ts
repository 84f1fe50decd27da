import type { ConversationEntry } from '../../contract/conversation.ts'

import type { RecordedBlock, RecordedHelper, RecordedSpan } from '../../sim/recorded.ts'
import type { Conversation } from './conversation.ts'

/** A text that the model read, other than its own replies. */
export interface Heard {
  kind: 'result' | 'hook context' | 'stop feedback' | 'queued prompt'
  text: string
  /** The call that a result belongs to. */
  call: string | null
  isError: boolean
  raw: ConversationEntry['raw']
}

export interface RecordedCall {
  id: string
  name: string
  input: Record<string, unknown>
}

/** One prompt with its replies. `heard[n]` came with the request that reply n answers. */
export interface RecordedTurn extends RecordedSpan {
  prompt: string
  heard: readonly (readonly Heard[])[]
}

/** The turn from its prompt to its last entry, along the chain between them; null if there is none. */
export const turnBetween = ({ entries, graph }: Conversation, first: string, last: string): RecordedTurn | null => {
  const lineage = graph.lineage([last])
  const begin = entries.findIndex(({ id }) => id === first)
  if (begin < 0 || !lineage.has(first)) return null
  const own = entries.slice(begin).filter(({ id }) => lineage.has(id))
  // Entries are repeated around compactions; the first one of an id counts.
  const byId = new Map(own.toReversed().map((entry) => [entry.id, entry]))
  const [prompt, ...rest] = [...byId.values()].toReversed()
  const endedAt = Math.max(...own.map(({ at }) => at))
  return { prompt: prompt?.text ?? '', follows: prompt?.ends?.call ?? null, ...readReplies(rest), endedAt }
}

/** A sub-agent's whole conversation: one prompt and the replies to it. */
export const helperOf = (entries: readonly ConversationEntry[]): RecordedHelper => {
  const begin = entries.findIndex(({ kind }) => kind === 'prompt')
  const { replies, saidAt } = readReplies(entries.slice(begin + 1))
  return { prompt: entries[begin]?.text ?? '', replies, saidAt }
}

const readReplies = (entries: readonly ConversationEntry[]): Pick<RecordedTurn, 'replies' | 'saidAt' | 'heard'> => {
  const replies: RecordedBlock[][] = []
  const saidAt: number[] = []
  const byMessage = new Map<string, RecordedBlock[]>()
  const heard: Heard[][] = [[]]
  for (const entry of entries) {
    heard[replies.length]?.push(...readHeard(entry))
    if (!entry.isReply) continue
    const key = entry.message ?? entry.id
    const known = byMessage.get(key)
    const blocks = entry.blocks.flatMap((block): RecordedBlock[] => {
      if (block.type === 'text') return [{ type: 'text', text: block.text }]
      if (block.type === 'thinking') return block.thinking === '' ? [] : [{ type: 'thinking', text: block.thinking }]
      if (block.type !== 'tool_use') return []
      return [{ type: 'call', id: block.id, name: block.name, input: block.input }]
    })
    if (known !== undefined) known.push(...blocks)
    else {
      byMessage.set(key, blocks)
      replies.push(blocks)
      saidAt.push(entry.at)
      heard.push([])
    }
  }
  return { replies, saidAt, heard }
}

const readHeard = ({ kind, text, blocks, raw }: ConversationEntry): Heard[] => {
  const said = (what: Heard['kind']): Heard[] => [{ kind: what, text, call: null, isError: false, raw }]
  if (kind === 'feedback') return said('stop feedback')
  if (kind === 'queued_prompt') return said('queued prompt')
  if (kind !== 'tool_result') return blocks.some(({ type }) => type === 'context') ? said('hook context') : []
  return blocks.flatMap((block) =>
    block.type === 'tool_result'
      ? [{ kind: 'result' as const, text: block.text, call: block.id, isError: block.isError, raw }]
      : [],
  )
}

export const callsIn = ({ replies }: Pick<RecordedTurn, 'replies'>): RecordedCall[] =>
  replies.flat().flatMap((block) => (block.type === 'call' ? [block] : []))
