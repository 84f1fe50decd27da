import type { Reach, ReplayedTurnView, ReplayPreviewView, ReplayView } from '../../contract/outputs/replay.ts'
import type { Reader, Style } from '../output.ts'
import { reviewLines } from '../bundles/review-text.ts'
import { block, oneLine, shownPath } from '../safe-text.ts'
import { collectLines, joinLines } from '../format.ts'

const lineLimit = 120
const mostFiles = 20

/** One turn in one line; what went otherwise below it. */
export const replayedTurnText = (turn: ReplayedTurnView, reader: Reader): string => {
  const { style } = reader
  const { requests, results } = turn
  const how = turn.isEqual ? style.green('as recorded') : style.red('diverged')
  const counts = `${count(requests.replayed, 'request')}, ${count(results.equal + results.different, 'result')}`
  const head = `turn ${turn.turn}: ${how}  ${oneLine(turn.prompt, 60)}  ${style.dim(`(${counts}, ${treeWord(turn.tree)})`)}`
  return [
    head,
    ...[...callLines(turn), ...requestLines(turn, reader), ...fileLines(turn)].map((line) => `  ${line}`),
  ].join('\n')
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`

const treeWord = ({ recorded, replayed, files }: ReplayedTurnView['tree']): string => {
  if (recorded === null || replayed === null) return 'files not known'
  if (recorded === replayed) return `tree ${recorded.slice(0, 12)}`
  return files.length === 0 ? 'the same files' : `tree ${replayed.slice(0, 12)}, was ${recorded.slice(0, 12)}`
}

const callLines = ({ calls }: ReplayedTurnView): string[] =>
  calls.map(({ tool, call, what, why }) => `${what}: ${tool} ${oneLine(call, lineLimit)} (${oneLine(why, lineLimit)})`)

const requestLines = ({ differences, unanswered, left }: ReplayedTurnView, reader: Reader): string[] =>
  collectLines(
    ...differences.flatMap((one) => [
      `request ${one.request}: ${one.what} differs`,
      `    recorded: ${shownValue(one.recorded, reader)}`,
      `    replayed: ${shownValue(one.replayed, reader)}`,
    ]),
    unanswered > 0 && `${count(unanswered, 'request')} that the recording has no reply to`,
    left > 0 && `${left} of the recorded replies nobody asked for`,
  )

const shownValue = (text: string | null, reader: Reader): string =>
  text === null ? 'nothing' : block(text, reader).trim().replaceAll('\n', '\n      ')

const fileLines = ({ tree }: ReplayedTurnView): string[] =>
  collectLines(
    ...tree.files.slice(0, mostFiles).map(({ path, kind }) => `file ${kind}: ${shownPath(path)}`),
    tree.files.length > mostFiles && `and ${tree.files.length - mostFiles} files more`,
  )

export const replayEnd = ({ turns, divergedAt, version, scratch }: ReplayView, style: Style): string =>
  joinLines(
    divergedAt === null
      ? style.green(`${count(turns.length, 'turn')} as recorded.`)
      : style.red(`It diverged first in turn ${divergedAt}.`),
    version.recorded !== version.replayed &&
      `The CLI was ${oneLine(version.recorded, lineLimit)} then and is ${version.replayed} now.`,
    scratch !== null && `Kept: ${scratch}`,
  )

export const previewText = (preview: ReplayPreviewView, reader: Reader): string =>
  [...workLines(preview, reader), 'Nothing was run.'].join('\n')

/** All that would be run, in full: somebody decides by it. */
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
