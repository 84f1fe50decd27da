import type { Actor } from '../../contract/identity.ts'
import type { Move } from '../../contract/session.ts'

export interface KnownMove {
  move: Move
  /** Null if its record is gone. */
  actor: Actor | null
  state: 'open' | 'done' | 'failed'
  at: number
  endedAt: number | null
  /** Where the agent continued; null until it begins the new conversation. */
  conversation: string | null
  reason: string | null
  /** The snapshot of the files just before a failed move was taken back. */
  found: string | null
  /** The move failed, and its files could not be put back. */
  filesStay: boolean
}

interface Stacks {
  done: Move[]
  undone: Move[]
}

/** The moves to undo and to redo, newest last. A new move clears the redo stack. */
const stackMoves = (moves: readonly KnownMove[]): Stacks => {
  let [done, undone]: [Move[], Move[]] = [[], []]
  for (const { move, state, filesStay } of moves) {
    if (state !== 'done' && !filesStay) continue
    // A failed move whose files could not be put back has moved just the files.
    const effect: Move = state === 'done' ? move : { ...move, kind: 'rewind', part: 'code' }
    if (effect.kind === 'undo') [done, undone] = [done.slice(0, -1), [...undone, effect]]
    else [done, undone] = [[...done, effect], effect.kind === 'redo' ? undone.slice(0, -1) : []]
  }
  return { done, undone }
}

/** The move that an undo takes back. */
export const undoable = (moves: readonly KnownMove[]): Move | null => stackMoves(moves).done.at(-1) ?? null

/** The move that a redo takes back: an undo, or else a rewind, since the way forward is the way it came. */
export const redoable = (moves: readonly KnownMove[]): Move | null => {
  const { done, undone } = stackMoves(moves)
  const last = done.at(-1)
  return undone.at(-1) ?? (last?.kind === 'rewind' ? last : null)
}
