import type { Move } from '../../contract/session.ts'

export interface KnownMove {
  move: Move
  state: 'open' | 'done' | 'failed'
  at: number
  endedAt: number | null
  /** Where the agent went on; null as long as it has not begun the new one. */
  conversation: string | null
  reason: string | null
  /** The snapshot of what the files were when a move that had failed was taken back. */
  found: string | null
  /** It failed, and its files could not be put back. */
  filesStay: boolean
}

interface Stacks {
  done: Move[]
  undone: Move[]
}

/** What can be taken back and done again, the newest last. A move of its own makes an end to what was undone. */
const stacksOf = (moves: readonly KnownMove[]): Stacks =>
  moves.flatMap(effectOf).reduce(
    ({ done, undone }: Stacks, move) => {
      if (move.kind === 'undo') return { done: done.slice(0, -1), undone: [...undone, move] }
      return { done: [...done, move], undone: move.kind === 'redo' ? undone.slice(0, -1) : [] }
    },
    { done: [], undone: [] },
  )

/** Of one that failed, and whose files could not be put back, just these have moved. */
const effectOf = ({ move, state, filesStay }: KnownMove): Move[] => {
  if (state === 'done') return [move]
  return filesStay ? [{ ...move, kind: 'rewind', part: 'code' }] : []
}

/** The move that an undo takes back. */
export const undoable = (moves: readonly KnownMove[]): Move | null => stacksOf(moves).done.at(-1) ?? null

/** What a redo takes back: an undo, or else a rewind, after which the way forward is the way it came. */
export const redoable = (moves: readonly KnownMove[]): Move | null => {
  const { done, undone } = stacksOf(moves)
  const last = done.at(-1)
  return undone.at(-1) ?? (last?.kind === 'rewind' ? last : null)
}
