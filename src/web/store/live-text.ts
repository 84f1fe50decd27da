import type { LiveEvent } from '../../contract/live.ts'
import type { TurnBlock } from '../../contract/turn.ts'

/** What the model says or thinks, before it is in the log. */
export interface LivePiece {
  kind: 'text' | 'thinking'
  text: string
}

/** A block of the model as far as it came. */
interface LiveBlock extends LivePiece {
  /** Its beginning was missed: it is not shown. */
  isTorn: boolean
}

export interface LiveText {
  blocks: readonly LiveBlock[]
  /** Where the next piece belongs if it is of the kind of the last: to that block, to a new one, or to one whose beginning is not here. */
  next: 'same' | 'new' | 'torn'
}

/** Before anything was told, and after a gap: the model may be in the middle of a block. */
export const tornLive: LiveText = { blocks: [], next: 'torn' }
const nothingLive: LiveText = { blocks: [], next: 'new' }

/** Pieces of one block come one after the other; a call of a tool and a reply end it. */
export const addLive = (live: LiveText, event: LiveEvent): LiveText => {
  switch (event.kind) {
    case 'gap':
      return tornLive
    case 'prompt':
    case 'ended':
      return nothingLive
    case 'reply':
      return { ...live, next: 'new' }
    case 'tool':
      // A sub-agent works beside what the model says.
      return event.isSubagent ? live : { ...live, next: 'new' }
    case 'text':
    case 'thinking':
      return addPiece(live, event)
    default:
      return live
  }
}

const addPiece = ({ blocks, next }: LiveText, { kind, text }: LivePiece): LiveText => {
  const last = blocks.at(-1)
  if (next === 'torn') return { blocks: [...blocks, { kind, text: '', isTorn: true }], next: 'same' }
  if (next === 'new' || last?.kind !== kind) return { blocks: [...blocks, { kind, text, isTorn: false }], next: 'same' }
  if (last.isTorn) return { blocks, next }
  return { blocks: [...blocks.slice(0, -1), { ...last, text: last.text + text }], next }
}

/** Blocks that the log has by now are not shown twice: they come in the order in which they were told. */
export const dropWritten = ({ blocks, next }: LiveText, written: readonly TurnBlock[]): LiveText => ({
  blocks: written.reduce((left, { type }) => {
    const at = left.findIndex(({ kind }) => kind === type)
    return at < 0 ? left : left.slice(at + 1)
  }, blocks),
  next,
})

/** Blocks of which the beginning is here. */
export const piecesOf = ({ blocks }: LiveText): readonly LivePiece[] => blocks.filter(({ isTorn }) => !isTorn)
