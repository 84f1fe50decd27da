import type { LiveEvent } from '../../contract/live.ts'
import type { TurnBlock } from '../../contract/turn.ts'

/** What the model says or thinks, before it is in the log. */
export interface LivePiece {
  kind: 'text' | 'thinking'
  text: string
}

/** A block of the model as far as it came. */
interface LiveBlock extends LivePiece {
  /** Its beginning was missed, or taken for written: it is not shown. */
  isTorn: boolean
  /** It stands here only to take up what may still be told of it. */
  isWritten: boolean
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
  const isTorn = next === 'torn'
  if (isTorn || next === 'new' || last?.kind !== kind) {
    const begun = { kind, text: isTorn ? '' : text, isTorn, isWritten: false }
    return { blocks: [...blocks.filter(({ isWritten }) => !isWritten), begun], next: 'same' }
  }
  if (last.isTorn) return { blocks, next }
  return { blocks: [...blocks.slice(0, -1), { ...last, text: last.text + text }], next }
}

/**
 * Blocks that the log has by now are not shown twice: they come in the order in which they were told. What is written may
 * as well be older than what is told, as after a load: the block that is being told is not forgotten, only not shown.
 */
export const dropWritten = ({ blocks, next }: LiveText, written: readonly TurnBlock[]): LiveText => {
  const left = written.reduce((rest, { type }) => {
    const at = rest.findIndex(({ kind }) => kind === type)
    return at < 0 ? rest : rest.slice(at + 1)
  }, blocks)
  const last = blocks.at(-1)
  if (next !== 'same' || last === undefined || left.length > 0) return { blocks: left, next }
  return { blocks: [{ kind: last.kind, text: '', isTorn: true, isWritten: true }], next }
}

/** Blocks of which the beginning is here. */
export const piecesOf = ({ blocks }: LiveText): readonly LivePiece[] => blocks.filter(({ isTorn }) => !isTorn)
