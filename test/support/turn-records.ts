import type { AnyNewRecord } from '../../src/contract/record.ts'
import type { TurnBlock } from '../../src/contract/turn.ts'
import { agentRef, aRecord, now } from './builders.ts'

export interface TurnParts {
  turn: string
  conversation?: string
  agent?: string
  at?: number
  /** One entry each. */
  blocks?: TurnBlock[]
}

type Named = Required<TurnParts>

const named = (parts: TurnParts): Named => ({
  conversation: 'c1',
  agent: agentRef.id,
  at: now,
  blocks: [{ type: 'text', text: `reply ${parts.turn}` }],
  ...parts,
})

const options = ({ conversation, agent, at }: Named, key: string, type: string) => ({
  id: `${conversation}:${key}:${type}`,
  at,
  agent,
})

export const turnStarted = (parts: TurnParts): AnyNewRecord => {
  const { conversation, turn, ...rest } = named(parts)
  const body = { conversation, turn, prompt: `prompt ${turn}`, entry: turn }
  return aRecord('turn.started', body, options({ conversation, turn, ...rest }, turn, 'turn.started'))
}

export const turnEntry = (parts: TurnParts, entry: string, block: TurnBlock): AnyNewRecord => {
  const all = named(parts)
  const body = {
    conversation: all.conversation,
    turn: all.turn,
    entry,
    role: 'assistant' as const,
    blocks: [block],
  }
  return aRecord('turn.entry', body, options(all, entry, 'turn.entry'))
}

export const turnEnded = (parts: TurnParts): AnyNewRecord => {
  const all = named(parts)
  const { conversation, turn, blocks } = all
  const body = { conversation, turn, leaf: turn, reason: 'idle', entries: blocks.length, usage: null }
  return aRecord('turn.ended', body, options(all, turn, 'turn.ended'))
}

/** A whole turn, as it stands on the log. */
export const turnRecords = (parts: TurnParts): AnyNewRecord[] => {
  const { blocks } = named(parts)
  const entries = blocks.map((block, index) => turnEntry(parts, `${parts.turn}-${index}`, block))
  return [turnStarted(parts), ...entries, turnEnded(parts)]
}
