import type { ReplayedTurnView } from '../../contract/outputs/replay.ts'
import { isSameCall } from './calls.ts'
import { isFromRein, normalised } from './normalise.ts'
import { callsIn, type Heard, type RecordedTurn } from './recorded-turn.ts'

type Difference = ReplayedTurnView['differences'][number]
type FileDifference = ReplayedTurnView['tree']['files'][number]

/** The differences of a turn, as far as the model could notice them. */
interface TurnComparison {
  differences: Difference[]
  results: ReplayedTurnView['results']
}

/** The paths of the replayed turn are already mapped to those of the recording. */
export const compareTurns = (recorded: RecordedTurn, replayed: RecordedTurn): TurnComparison => {
  const pairs = recorded.replies.map((_, at) => pairUp(recorded.heard[at] ?? [], replayed.heard[at] ?? []))
  const extra = replayed.heard.slice(recorded.replies.length, replayed.replies.length).map((heard) => pairUp([], heard))
  const names = new Map(callsIn(recorded).map(({ id, name }) => [id, name]))
  // Requests that were never made count once, not by their content.
  const made = [...pairs, ...extra].slice(0, replayed.replies.length)
  const differences = made.flatMap((all, at) =>
    all.flatMap((pair) => {
      const { kind, call } = pair.recorded ?? pair.replayed ?? { kind: 'result', call: null }
      const what = kind === 'result' ? `the result of ${names.get(call ?? '') ?? 'a tool'}` : `a ${kind}`
      return compareTexts(at + 1, what, pair.recorded?.text ?? null, pair.replayed?.text ?? null)
    }),
  )
  const prompts = compareTexts(1, 'the prompt', recorded.prompt, replayed.prompt || null)
  const results = pairs.flat().filter((pair) => pair.recorded?.kind === 'result')
  const equal = results.filter(
    (pair) => normalised(pair.recorded?.text ?? '') === (pair.replayed && normalised(pair.replayed.text)),
  ).length
  return { differences: [...prompts, ...differences], results: { equal, different: results.length - equal } }
}

/** Texts that are in the transcript as sent to the model, but were not sent; `received` are the texts of its requests. */
export const notReceived = ({ prompt, heard, replies }: RecordedTurn, received: readonly string[]): Difference[] => {
  const said = replies.map((_, at) => [
    ...(at === 0 ? [{ what: 'the prompt', text: prompt }] : []),
    ...(heard[at] ?? []).map(({ kind, text }) => ({ what: `a ${kind}`, text })),
  ])
  return said.flatMap((items, at) =>
    items
      .filter(({ text }) => !(received[at] ?? '').includes(text))
      .map(({ what, text }) => ({
        request: at + 1,
        what: `${what} that stands in the transcript`,
        recorded: shorten(text, 0),
        replayed: null,
      })),
  )
}

/** The same thing in both; undefined where one of them has none. */
interface Pair {
  recorded: Heard | undefined
  replayed: Heard | undefined
}

/** Results by their call, everything else by its place among its kind. */
const pairUp = (recorded: readonly Heard[], replayed: readonly Heard[]): Pair[] => {
  const left = replayed.filter(isCompared)
  const take = (one: Heard): Heard | undefined => {
    const found = left.findIndex((other) => other.kind === one.kind && isSameCall(one.call, other.call))
    return found < 0 ? undefined : left.splice(found, 1)[0]
  }
  const pairs = recorded.filter(isCompared).map((one) => ({ recorded: one, replayed: take(one) }))
  return [...pairs, ...left.map((one) => ({ recorded: undefined, replayed: one }))]
}

const isCompared = ({ kind, text }: Heard): boolean => kind === 'result' || !isFromRein(text)

const compareTexts = (
  request: number,
  what: string,
  recorded: string | null,
  replayed: string | null,
): Difference[] => {
  const [before, now] = [recorded, replayed].map((text) => (text === null ? null : normalised(text)))
  if (before === now) return []
  const [a, b] = [before ?? '', now ?? '']
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  // The start of the line in which they begin to differ.
  const start = Math.max(a.lastIndexOf('\n', at - 1) + 1, at - shown / 2, 0)
  return [{ request, what, recorded: shorten(before ?? null, start), replayed: shorten(now ?? null, start) }]
}

const shown = 200

const shorten = (text: string | null, start: number): string | null => {
  if (text === null) return null
  const rest = text.slice(start)
  return `${start > 0 ? '… ' : ''}${rest.length > shown ? `${rest.slice(0, shown)} …` : rest}`
}

/** The files that differ between two trees. */
export const compareFiles = (
  recorded: ReadonlyMap<string, string>,
  replayed: ReadonlyMap<string, string>,
): FileDifference[] => {
  const paths = [...new Set([...recorded.keys(), ...replayed.keys()])].toSorted()
  return paths
    .filter((path) => recorded.get(path) !== replayed.get(path))
    .map((path) => {
      const lone = recorded.has(path) ? 'missing' : 'extra'
      return { path, kind: recorded.has(path) && replayed.has(path) ? 'different' : lone }
    })
}
