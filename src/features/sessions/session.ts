import { ReinError } from '../../contract/errors.ts'
import type { Place } from '../../contract/session.ts'
import type { Database } from '../../base/store/sqlite.ts'
import { groupBy } from '../../base/util/group.ts'
import type { KnownMove } from './moves.ts'
import {
  conversationsOf,
  findSession,
  type KnownConversation,
  movesOf,
  type SessionRow,
  snapshotsOf,
  turnsOf,
} from './store.ts'
import { TurnTree } from './tree.ts'
import { type Files, placeSnapshots, type TakenSnapshot, type Turn } from './turn.ts'

/** All that is known of one session. */
export interface Session {
  row: SessionRow
  tree: TurnTree
  moves: KnownMove[]
  conversations: Map<string, KnownConversation>
  files: Map<Turn, Files>
}

export const loadSession = (db: Database, id: string): Session => {
  const row = findSession(db, id)
  if (row === null) throw new ReinError('not_found', `There is no session ${id}.`, 'List them: rein session list')
  const turns = turnsOf(db, id)
  const files = new Map<Turn, Files>()
  for (const [conversation, own] of groupBy(turns, (turn) => turn.conversation)) {
    const placed = placeSnapshots(own, snapshotsOf(db, conversation))
    for (const turn of own) files.set(turn, placed.get(turn.turn) ?? { before: null, after: null })
  }
  return {
    row,
    tree: new TurnTree(turns),
    moves: movesOf(db, id),
    conversations: new Map(conversationsOf(db, id).map((one) => [one.conversation, one])),
    files,
  }
}

/** The turn at a place; a conversation without a turn of its own stands where it was made from. */
export const turnAt = ({ tree, conversations }: Session, place: Place): Turn | null =>
  tree.at(place.turn === null ? (conversations.get(place.conversation ?? '')?.place ?? place) : place)

/** The files after a turn, or before the first one, in one work tree or any. The snapshot of the next prompt shows the same. */
export const snapshotAfter = (
  { tree, files }: Session,
  turn: Turn | null,
  root: string | null = null,
): TakenSnapshot | null => {
  const isThere = (taken: TakenSnapshot): boolean => root === null || taken.root === root
  const firstBefore = (turns: readonly Turn[]): TakenSnapshot | null =>
    turns.flatMap((one) => files.get(one)?.before ?? []).find(isThere) ?? null
  if (turn === null) return firstBefore(tree.turns.slice(0, 1))
  const after = files.get(turn)?.after ?? null
  if (after !== null && isThere(after)) return after
  const children = tree.childrenOf(turn)
  // Only a fork begins in another work tree than its parent turn, and it begins with these files.
  return firstBefore(after === null ? children.filter((one) => one.conversation === turn.conversation) : children)
}
