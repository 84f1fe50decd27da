import { ReinError } from '../../contract/errors.ts'
import type { Move, MovedPart, MoveKind, Place, SnapshotRef } from '../../contract/session.ts'
import { redoable, undoable } from './moves.ts'
import { type Session, snapshotAfter } from './session.ts'
import type { Turn } from './turn.ts'

/** How the conversation goes on: in a new one, in one that is there as it is, or in a copy that ends after an entry. */
export type Chat =
  | { kind: 'fresh' }
  | { kind: 'whole'; conversation: string; transcript: string | null }
  | { kind: 'cut'; conversation: string; transcript: string; after: string; from: Place }

/** Where a move leads, before anything is done. */
export interface Way {
  kind: MoveKind
  of: Move | null
  part: MovedPart
  to: Place
  /** What the files are to be; null if they stay. */
  files: { root: string; snapshot: SnapshotRef; isExact: boolean } | null
  /** Null if the conversation stays. */
  chat: Chat | null
  /** What the agent was told and has seen after this moment was told in what is left behind. */
  since: number
}

/** Who goes there. */
export interface Walker {
  id: string
  /** The work tree that it is in; null if its files stay. */
  root: string | null
  /** Where it is. */
  here: Turn | null
}

export const wayToTurn = (session: Session, label: string, part: MovedPart, walker: Walker): Way => {
  const turn = session.tree.find(label)
  const to: Place = turn === null ? { conversation: null, turn: null } : placeOf(turn)
  return {
    kind: 'rewind',
    of: null,
    part,
    to,
    files: part === 'chat' ? null : filesAfter(session, turn, label, walker.root),
    chat: part === 'code' ? null : chatAfter(session, turn, walker),
    since: leftAfter(session, walker.here, turn),
  }
}

/** When the first turn began that is not on the way to there. */
const leftAfter = ({ tree }: Session, here: Turn | null, there: Turn | null): number => {
  const stays = new Set(tree.pathTo(there))
  return tree.pathTo(here).find((one) => !stays.has(one))?.startedAt ?? Number.POSITIVE_INFINITY
}

/** An undo and a redo are the same: back to where the other move came from, with the files that were there. */
export const wayBack = (session: Session, kind: 'undo' | 'redo', agent: string): Way => {
  const own = session.moves.filter((one) => one.move.agent.id === agent)
  const move = kind === 'undo' ? undoable(own) : redoable(own)
  if (move === null)
    throw new ReinError(
      'refused',
      `There is nothing to ${kind} in this session.`,
      'See its moves: rein session show ID',
    )
  const { files, from, part } = move
  return {
    kind,
    of: move,
    part,
    to: from,
    files: files === null ? null : { root: files.root, snapshot: files.safety, isExact: true },
    chat: part === 'code' ? null : wholeOf(session, from.conversation),
    since: own.find((one) => one.move.id === move.id)?.at ?? 0,
  }
}

/** A copy of the whole conversation, for what is done to it next. */
export const wayToCopy = (session: Session, turn: Turn): Way => ({
  kind: 'compact',
  of: null,
  part: 'chat',
  to: placeOf(turn),
  files: null,
  chat: cutAfter(session, turn),
  since: Number.POSITIVE_INFINITY,
})

export const placeOf = ({ conversation, turn }: Turn): Place => ({ conversation, turn })

/** With `root`: as they were there, and not in the work tree of another agent of the session. */
export const filesAfter = (
  session: Session,
  turn: Turn | null,
  label: string,
  root: string | null = null,
): NonNullable<Way['files']> => {
  const taken = snapshotAfter(session, turn, root)
  if (taken !== null) return { root: taken.root, snapshot: taken.snapshot, isExact: taken.isClean }
  throw new ReinError(
    'not_found',
    `There is no snapshot of ${root ?? 'the files'} ${turn === null ? 'before the first prompt' : `after turn ${label}`}.`,
    'Go back with the conversation alone: --chat',
  )
}

/** A conversation that ends there goes on as it is, unless it is another agent's. */
const chatAfter = (session: Session, turn: Turn | null, { id }: Walker): Chat => {
  if (turn === null) return { kind: 'fresh' }
  const isOwn = session.conversations.get(turn.conversation)?.agent === id
  return isOwn && session.tree.isLast(turn) ? wholeOf(session, turn.conversation) : cutAfter(session, turn)
}

const wholeOf = ({ conversations }: Session, conversation: string | null): Chat =>
  conversation === null
    ? { kind: 'fresh' }
    : { kind: 'whole', conversation, transcript: conversations.get(conversation)?.transcript ?? null }

export const cutAfter = ({ tree, conversations }: Session, turn: Turn): Chat => {
  const { conversation, leaf } = turn
  if (leaf === null)
    throw new ReinError('refused', `Turn ${tree.labelOf(turn)} has not ended yet.`, 'Try again when the agent is idle.')
  const transcript = conversations.get(conversation)?.transcript ?? null
  if (transcript === null)
    throw new ReinError('not_found', `It is not known where conversation ${conversation} is kept.`)
  return { kind: 'cut', conversation, transcript, after: leaf, from: placeOf(turn) }
}
