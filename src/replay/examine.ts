import { join } from 'node:path'
import type { RecordedTree, RecordingTurnView, ReplayedTurnView } from '../contract/replay-api-types.ts'
import { openShadow } from '../sessions/snapshots/shadow.ts'
import { decidedOtherwise } from './calls.ts'
import { compareFiles, compareTurns, notReceived } from './compare.ts'
import { mapPaths, reversed } from './paths.ts'
import type { Played } from './player.ts'
import { type PlayableTurn, readTurns, type Recording } from './recording.ts'
import { isRule } from './rules.ts'
import type { Stage } from './stage.ts'

const nothing = { prompt: '', replies: [], heard: [] }

/** Compares a turn with what came of it; `now` is null if the CLI has begun none. */
export const examine = async (
  recording: Recording,
  stage: Stage,
  one: PlayableTurn,
  now: RecordingTurnView | null,
  { asked, left, unanswered, received }: Played,
): Promise<ReplayedTurnView> => {
  const [found] = now === null ? [] : await readTurns(recording.cli, [now])
  const replayed = mapPaths(found?.turn ?? nothing, reversed(stage.paths))
  const { differences, results } = compareTurns(one.turn, replayed)
  const lost = notReceived(found?.turn ?? nothing, received)
  const calls = [...asked, ...decidedOtherwise(recording.cli, one.turn, replayed)]
  const tree = await compareTrees(recording, stage, one.after, found?.after ?? null)
  const view = {
    turn: one.label,
    prompt: one.turn.prompt,
    requests: { recorded: one.turn.replies.length, replayed: replayed.replies.length },
    differences: [...differences, ...lost],
    results,
    calls,
    left,
    unanswered,
    tree,
  }
  return { ...view, isEqual: isAsRecorded(view) }
}

const isAsRecorded = (view: Omit<ReplayedTurnView, 'isEqual'>): boolean => {
  const { differences, calls, tree, left, unanswered, requests } = view
  const otherwise = differences.length + calls.length + tree.files.length + left + unanswered
  return otherwise === 0 && requests.recorded === requests.replayed
}

/** Two trees of one id hold the same; else file by file, as repositories within one come as plain files. */
const compareTrees = async (
  { shadow }: Recording,
  { state, hasOtherRules }: Stage,
  before: RecordedTree | null,
  now: RecordedTree | null,
): Promise<ReplayedTurnView['tree']> => {
  const ids = { recorded: before?.tree ?? null, replayed: now?.tree ?? null }
  if (before === null || now === null || before.tree === now.tree) return { ...ids, files: [] }
  const ports = { now: Date.now, env: process.env }
  const own = await openShadow({ dir: join(state, 'snapshots'), tree: now.root, ports })
  const files = compareFiles(await shadow.list(before.snapshot), await own.list(now.snapshot))
  return { ...ids, files: hasOtherRules ? files.filter(({ path }) => !isRule(path)) : files }
}
