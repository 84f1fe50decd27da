import type { LiveEvent } from '../../contract/live.ts'
import type { TurnBlock } from '../../contract/turn.ts'

/** What the model says or thinks, before it is in the log. */
export interface LivePiece {
  kind: 'text' | 'thinking'
  text: string
}

type Pieces = readonly LivePiece[]

/** Pieces of one block come one after the other. After a gap the beginning of a block would be missing, so nothing is shown. */
export const addLive = (pieces: Pieces, event: LiveEvent): Pieces => {
  if (event.kind === 'prompt' || event.kind === 'gap' || event.kind === 'ended') return []
  if (event.kind !== 'text' && event.kind !== 'thinking') return pieces
  const last = pieces.at(-1)
  if (last?.kind !== event.kind) return [...pieces, { kind: event.kind, text: event.text }]
  return [...pieces.slice(0, -1), { ...last, text: last.text + event.text }]
}

/** Blocks that the log has by now are not shown twice: they come in the order in which they were told. */
export const dropWritten = (pieces: Pieces, blocks: readonly TurnBlock[]): Pieces =>
  blocks.reduce<Pieces>((left, { type }) => {
    const at = left.findIndex(({ kind }) => kind === type)
    return at < 0 ? left : left.slice(at + 1)
  }, pieces)
