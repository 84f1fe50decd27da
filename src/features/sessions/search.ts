import { searchBodies } from '../../base/log/store.ts'
import type { Database } from '../../base/store/sqlite.ts'

interface Hit {
  conversation: string
  turn: string
  excerpt: string
}

/** Many records of one turn may contain the text, so more records than turns are read. */
const recordsPerTurn = 20
const around = 60

/** Turns that contain a text in their prompt, replies or tools; newest first. */
export const searchTurns = (db: Database, text: string, project: string | null, limit: number): Hit[] => {
  const hits = new Map<string, Hit>()
  const wanted = text.toLowerCase()
  for (const record of searchBodies(db, 'turns', { text, project }, limit * recordsPerTurn)) {
    if (record.type !== 'turn.started' && record.type !== 'turn.entry') continue
    const { conversation, turn } = record.body
    const texts =
      record.type === 'turn.started'
        ? [record.body.prompt]
        : record.body.blocks.map((block) => {
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
          })
    const found = texts.find((one) => one.toLowerCase().includes(wanted))
    if (found !== undefined) {
      const at = found.toLowerCase().indexOf(wanted)
      const [start, end] = [Math.max(0, at - around), at + wanted.length + around]
      const cut = found.slice(start, end).replaceAll(/\s+/g, ' ').trim()
      hits.set(`${conversation}\n${turn}`, {
        conversation,
        turn,
        excerpt: `${start > 0 ? '…' : ''}${cut}${end < found.length ? '…' : ''}`,
      })
    }
  }
  return [...hits.values()]
}
