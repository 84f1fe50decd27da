import type { Reach, ReplayedTurnView, ReplayPreviewView, ReplayView } from '../../contract/outputs/replay.ts'
import type { Reader, Style } from '../output.ts'
import { reviewLines } from '../bundles/review-text.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'
import { collectLines, counted, joinLines } from '../format.ts'

const lineLimit = 120
const mostFiles = 20

/** One turn in one line, and below it what differed. */
export const replayedTurnText = (turn: ReplayedTurnView, reader: Reader): string => {
  const { style } = reader
  const { requests, results } = turn
  const how = turn.isEqual ? style.green('as recorded') : style.red('diverged')
  const counts = `${counted(requests.replayed, 'request')}, ${counted(results.equal + results.different, 'result')}`
  const { recorded, replayed, files } = turn.tree
  const tree =
    recorded === null || replayed === null
      ? 'files not known'
      : recorded === replayed
        ? `tree ${recorded.slice(0, 12)}`
        : files.length === 0
          ? 'the same files'
          : `tree ${replayed.slice(0, 12)}, was ${recorded.slice(0, 12)}`
  const lines = collectLines(
    turn.calls.map(
      ({ tool, call, what, why }) => `${what}: ${tool} ${oneLine(call, lineLimit)} (${oneLine(why, lineLimit)})`,
    ),
    turn.differences.flatMap((one) => [
      `request ${one.request}: ${one.what} differs`,
      `    recorded: ${shownValue(one.recorded, reader)}`,
      `    replayed: ${shownValue(one.replayed, reader)}`,
    ]),
    turn.unanswered > 0 && `${counted(turn.unanswered, 'request')} without a recorded reply`,
    turn.left > 0 && `${turn.left} recorded replies were not used`,
    files.slice(0, mostFiles).map(({ path, kind }) => `file ${kind}: ${shownPath(path)}`),
    files.length > mostFiles && `and ${files.length - mostFiles} files more`,
  )
  const head = `turn ${turn.turn}: ${how}  ${oneLine(turn.prompt, 60)}  ${style.dim(`(${counts}, ${tree})`)}`
  return [head, ...lines.map((line) => `  ${line}`)].join('\n')
}

const shownValue = (text: string | null, reader: Reader): string =>
  text === null ? 'nothing' : block(text, reader).trim().replaceAll('\n', '\n      ')

export const replayEnd = ({ turns, divergedAt, version, scratch }: ReplayView, style: Style): string =>
  joinLines(
    divergedAt === null
      ? style.green(`${counted(turns.length, 'turn')} as recorded.`)
      : style.red(`It diverged first in turn ${divergedAt}.`),
    version.recorded !== version.replayed &&
      `The CLI was ${oneLine(version.recorded, lineLimit)} then and is ${version.replayed} now.`,
    scratch !== null && `Kept: ${scratch}`,
  )

export const previewText = (preview: ReplayPreviewView, reader: Reader): string =>
  [...workLines(preview, reader), 'Nothing was run.'].join('\n')

/** Everything that would run, in full: a person decides by it. */
export const workLines = ({ root, turns, review, outside }: ReplayPreviewView, reader: Reader): string[] => [
  `In a copy of ${shownPath(root)}:`,
  ...turns.flatMap(({ turn, prompt, commands, files }) => [
    `turn ${turn}:`,
    block(prompt, reader),
    ...commands.map((one) => `  runs   ${shownPath(one)}`),
    ...files.map((one) => `  writes ${shownPath(one)}`),
  ]),
  ...reviewLines(review, review.length),
  ...(outside.length === 0
    ? ['Nothing reaches out of the tree.']
    : ['Reaches out of the tree:', ...outsideLines(outside)]),
]

export const outsideLines = (outside: readonly Reach[]): string[] =>
  outside.map(({ turn, what, why }) => `  turn ${turn}: ${oneLine(what, lineLimit)} (${oneLine(why, lineLimit)})`)
