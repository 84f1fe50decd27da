import type { ReplayedTurnView } from '../../contract/outputs/replay.ts'
import type { RecordingTurnView } from '../../contract/routes/replay.ts'
import { decidedOtherwise } from './calls.ts'
import { compareTurns, notReceived } from './compare.ts'
import { mapPaths, reversed } from './paths.ts'
import type { Played } from './player.ts'
import type { RecordedTurn } from './recorded-turn.ts'
import { readTurns, type Recording } from './recording.ts'
import type { Stage } from './stage.ts'
import { compareTrees } from './trees.ts'

const nothing: RecordedTurn = { prompt: '', follows: null, replies: [], saidAt: [], heard: [], endedAt: 0 }

/** Compares a turn with its replay; `now` is null if the CLI began none. */
export const examine = async (
  recording: Recording,
  stage: Stage,
  { one, asked, left, unanswered, received }: Played,
  now: RecordingTurnView | null,
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
  const count = view.differences.length + calls.length + tree.files.length + left + unanswered
  return { ...view, isEqual: count === 0 && view.requests.recorded === view.requests.replayed }
}
