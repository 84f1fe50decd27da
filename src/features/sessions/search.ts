import type { AnyRecord } from '../../contract/record.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { searchBodies } from '../../base/log/store.ts'
import type { Database } from '../../base/store/sqlite.ts'

export interface Hit {
  conversation: string
  turn: string
  excerpt: string
}

/** More records than turns are wanted: many of one turn may have the text. */
const recordsPerTurn = 20
const around = 60

/** Turns in whose prompt, or in whatever was said or done in them, a text stands; newest first. */
export const searchTurns = (db: Database, text: string, project: string | null, limit: number): Hit[] => {
  const hits = new Map<string, Hit>()
  for (const record of searchBodies(db, 'turns', { text, project }, limit * recordsPerTurn)) {
    const hit = hitIn(record, text.toLowerCase())
    if (hit !== null) hits.set(`${hit.conversation}\n${hit.turn}`, hit)
  }
  return [...hits.values()]
}

const hitIn = (record: AnyRecord, text: string): Hit | null => {
  if (record.type !== 'turn.started' && record.type !== 'turn.entry') return null
  const { conversation, turn } = record.body
  const texts = record.type === 'turn.started' ? [record.body.prompt] : record.body.blocks.map(textOf)
  const found = texts.find((one) => one.toLowerCase().includes(text))
  return found === undefined ? null : { conversation, turn, excerpt: excerptOf(found, text) }
}

const textOf = (block: TurnBlock): string => {
  switch (block.type) {
    case 'text':
    case 'tool_result':
    case 'context':
      return block.text
    case 'thinking':
      return block.thinking
    case 'tool_use':
      return Object.values(block.input)
        .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
        .join('\n')
    case 'other':
      return JSON.stringify(block.raw)
    default:
      return block satisfies never
  }
}

const excerptOf = (found: string, text: string): string => {
  const at = found.toLowerCase().indexOf(text)
  const [start, end] = [Math.max(0, at - around), at + text.length + around]
  const cut = found.slice(start, end).replaceAll(/\s+/g, ' ').trim()
  return `${start > 0 ? '…' : ''}${cut}${end < found.length ? '…' : ''}`
}
