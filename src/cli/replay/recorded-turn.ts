import type { ConversationEntry } from '../../contract/conversation.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import type { RecordedBlock, RecordedHelper, RecordedSpan } from '../../sim/recorded.ts'
import type { Conversation } from './conversation.ts'

/** Something that the model got to read beside its own replies. */
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

/** One prompt with the replies to it. What stands at `heard[n]` came with the request that reply n answers. */
export interface RecordedTurn extends RecordedSpan {
  prompt: string
  heard: readonly (readonly Heard[])[]
}

/** The turn from its prompt to the entry that it ended with, along the chain that led there; null if it is not in there. */
export const turnBetween = ({ entries, graph }: Conversation, first: string, last: string): RecordedTurn | null => {
  const lineage = graph.lineage([last])
  const begin = entries.findIndex(({ id }) => id === first)
  if (begin < 0 || !lineage.has(first)) return null
  const own = entries.slice(begin).filter(({ id }) => lineage.has(id))
  const [prompt, ...rest] = uniqueById(own)
  const endedAt = Math.max(...own.map(({ at }) => at))
  return { prompt: prompt?.text ?? '', follows: prompt?.ends?.call ?? null, ...repliesIn(rest), endedAt }
}

/** A sub-agent's whole conversation: one prompt and the replies to it. */
export const helperOf = (entries: readonly ConversationEntry[]): RecordedHelper => {
  const begin = entries.findIndex(({ kind }) => kind === 'prompt')
  const { replies, saidAt } = repliesIn(entries.slice(begin + 1))
  return { prompt: entries[begin]?.text ?? '', replies, saidAt }
}

/** Entries are repeated around compactions. */
const uniqueById = (entries: readonly ConversationEntry[]): ConversationEntry[] =>
  [...new Map(entries.toReversed().map((entry) => [entry.id, entry])).values()].toReversed()

const repliesIn = (entries: readonly ConversationEntry[]): Pick<RecordedTurn, 'replies' | 'saidAt' | 'heard'> => {
  const replies: RecordedBlock[][] = []
  const saidAt: number[] = []
  const byMessage = new Map<string, RecordedBlock[]>()
  const heard: Heard[][] = [[]]
  for (const entry of entries) {
    heard[replies.length]?.push(...heardIn(entry))
    if (!entry.isReply) continue
    const key = entry.message ?? entry.id
    const known = byMessage.get(key)
    const blocks = entry.blocks.flatMap(blockOf)
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

const blockOf = (block: TurnBlock): RecordedBlock[] => {
  if (block.type === 'text') return [{ type: 'text', text: block.text }]
  if (block.type === 'thinking') return block.thinking === '' ? [] : [{ type: 'thinking', text: block.thinking }]
  if (block.type !== 'tool_use') return []
  return [{ type: 'call', id: block.id, name: block.name, input: block.input }]
}

const heardIn = ({ kind, text, blocks, raw }: ConversationEntry): Heard[] => {
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
