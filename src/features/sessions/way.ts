import { ReinError } from '../../contract/errors.ts'
import type { Move, MovedPart, MoveKind, Place, SnapshotRef } from '../../contract/session.ts'
import { redoable, undoable } from './moves.ts'
import { type Session, snapshotAfter } from './session.ts'
import type { Turn } from './turn.ts'

/** How the conversation continues: in a new one, in an existing one as it is, or in a copy that is cut after an entry. */
export type Chat =
  | { kind: 'fresh' }
  | { kind: 'whole'; conversation: string; transcript: string | null }
  | { kind: 'cut'; conversation: string; transcript: string; after: string; from: Place }

/** A planned move, before anything is done. */
export interface Way {
  kind: MoveKind
  of: Move | null
  part: MovedPart
  to: Place
  /** The target state of the files; null if they stay. */
  files: { root: string; snapshot: SnapshotRef; isExact: boolean } | null
  /** Null if the conversation stays. */
  chat: Chat | null
  /** Directives that the agent saw after this moment were given in turns that the move leaves behind. */
  since: number
}

/** The agent that moves. */
interface Walker {
  id: string
  /** Its work tree; null if its files stay. */
  root: string | null
  /** Its current turn. */
  here: Turn | null
}

export const wayToTurn = (session: Session, label: string, part: MovedPart, walker: Walker): Way => {
  const { tree, conversations } = session
  const turn = tree.find(label)
  const files = part === 'chat' ? null : filesAfter(session, turn, label, walker.root)
  let chat: Chat | null = null
  if (part !== 'code') {
    // A conversation that ends at the turn continues as it is, unless it belongs to another agent.
    const isWhole = turn === null || (tree.isLast(turn) && conversations.get(turn.conversation)?.agent === walker.id)
    chat = isWhole ? continueWhole(session, turn?.conversation ?? null) : cutAfter(session, turn)
  }
  const stays = new Set(tree.pathTo(turn))
  const left = tree.pathTo(walker.here).find((one) => !stays.has(one))
  return {
    kind: 'rewind',
    of: null,
    part,
    to: turn === null ? { conversation: null, turn: null } : placeOf(turn),
    files,
    chat,
    since: left?.startedAt ?? Number.POSITIVE_INFINITY,
  }
}

/** Undo and redo work the same way: back to where the other move came from, with the files of that moment. */
export const wayBack = (session: Session, kind: 'undo' | 'redo', agent: string): Way => {
  const own = session.moves.filter((one) => one.move.agent.id === agent)
  const move = kind === 'undo' ? undoable(own) : redoable(own)
  if (move === null)
    throw new ReinError(
      'refused',
      `There is nothing to ${kind} in this session.`,
      `See its moves: rein session show ${session.row.id}`,
    )
  const { files, from, part } = move
  return {
    kind,
    of: move,
    part,
    to: from,
    files: files === null ? null : { root: files.root, snapshot: files.safety, isExact: true },
    chat: part === 'code' ? null : continueWhole(session, from.conversation),
    since: own.find((one) => one.move.id === move.id)?.at ?? 0,
  }
}

/** A copy of the whole conversation, to be compacted next. */
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

/** With `root`, only snapshots of that work tree count, not those of another agent of the session. */
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

const continueWhole = ({ conversations }: Session, conversation: string | null): Chat =>
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
