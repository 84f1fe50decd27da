import type { z } from 'zod'
import type { RecordedTree, RecordingInput, RecordingTurnView, RecordingView } from '../../contract/routes/replay.ts'
import { type Session, snapshotAfter } from './session.ts'
import type { TakenSnapshot, Turn } from './turn.ts'
import type { SessionParts } from './parts.ts'
import { findRested, findTarget } from './target.ts'

/** What has to be known of a session to play it again, up to a turn; with the files of those that have just ended. */
export const recording = async (
  parts: SessionParts,
  { until, ...input }: z.infer<typeof RecordingInput>,
): Promise<RecordingView> => {
  await parts.recorder.settled((await findRested(parts, input)).agent.id)
  const found = await findTarget(parts, input)
  const { session, agent, here } = found
  const { tree } = session
  const { permissionMode, autoApprove, system } = agent.request ?? {}
  // An agent that has moved on to another session stands nowhere in this one.
  const end = until === undefined ? (here ?? tree.turns.at(-1) ?? null) : tree.find(until)
  return {
    session: session.row.id,
    agent: agent.handle,
    driver: agent.driver,
    version: agent.version,
    program: agent.program,
    cwd: agent.cwd,
    permissionMode,
    autoApprove,
    system,
    include: parts.settings['sessions.include'] ?? '',
    maxFileBytes: parts.settings['sessions.max_file_bytes'],
    turns: tree.pathTo(end).flatMap((turn) => turnOf(session, turn)),
  }
}

/** Nothing of one that has not ended yet. */
const turnOf = (session: Session, turn: Turn): RecordingTurnView[] => {
  const { conversation, turn: first, leaf: last, model } = turn
  if (last === null) return []
  const after = snapshotAfter(session, turn)
  const before = session.files.get(turn)?.before ?? snapshotAfter(session, session.tree.parentOf(turn), after?.root)
  const { transcript = null } = session.conversations.get(conversation) ?? {}
  const label = session.tree.labelOf(turn)
  return [{ label, conversation, transcript, first, last, model, before: treeOf(before), after: treeOf(after) }]
}

const treeOf = (taken: TakenSnapshot | null): RecordedTree | null =>
  taken === null ? null : { root: taken.root, snapshot: taken.snapshot.id, tree: taken.snapshot.tree }
