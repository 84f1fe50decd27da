import type { ReplayedTurnView } from '../../contract/outputs/replay.ts'
import { isSameCall } from './calls.ts'
import { isFromRein, normalised } from './normalise.ts'
import { callsIn, type Heard, type RecordedTurn } from './recorded-turn.ts'

type Difference = ReplayedTurnView['differences'][number]
type FileDifference = ReplayedTurnView['tree']['files'][number]

/** What of a turn went otherwise, as far as the model could notice. */
export interface TurnComparison {
  differences: Difference[]
  results: ReplayedTurnView['results']
}

/** The replayed turn has its paths in the words of the recording. */
export const compareTurns = (recorded: RecordedTurn, replayed: RecordedTurn): TurnComparison => {
  const pairs = recorded.replies.map((_, at) => pairUp(recorded.heard[at] ?? [], replayed.heard[at] ?? []))
  const extra = replayed.heard.slice(recorded.replies.length, replayed.replies.length).map((heard) => pairUp([], heard))
  const nameOf = namesIn(recorded)
  // What would have come with requests that were never made says nothing more.
  const made = [...pairs, ...extra].slice(0, replayed.replies.length)
  const differences = made.flatMap((all, at) => all.flatMap((pair) => differ(pair, at + 1, nameOf)))
  const prompts = differenceOf(1, 'the prompt', recorded.prompt, replayed.prompt || null)
  return { differences: [...prompts, ...differences], results: countResults(pairs.flat()) }
}

/** What the CLI has written down as said to its model, but did not say; `received` are the texts of its requests. */
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
        recorded: shortened(text, 0),
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
export const pairUp = (recorded: readonly Heard[], replayed: readonly Heard[]): Pair[] => {
  const left = replayed.filter(isCompared)
  const take = (one: Heard): Heard | undefined => {
    const found = left.findIndex((other) => other.kind === one.kind && isSameCall(one.call, other.call))
    return found < 0 ? undefined : left.splice(found, 1)[0]
  }
  const pairs = recorded.filter(isCompared).map((one) => ({ recorded: one, replayed: take(one) }))
  return [...pairs, ...left.map((one) => ({ recorded: undefined, replayed: one }))]
}

const isCompared = ({ kind, text }: Heard): boolean => kind === 'result' || !isFromRein(text)

const namesIn = (turn: RecordedTurn): ((call: string | null) => string) => {
  const names = new Map(callsIn(turn).map(({ id, name }) => [id, name]))
  return (call) => names.get(call ?? '') ?? 'a tool'
}

const differ = (
  { recorded, replayed }: Pair,
  request: number,
  nameOf: (call: string | null) => string,
): Difference[] => {
  const { kind, call } = recorded ?? replayed ?? { kind: 'result', call: null }
  const what = kind === 'result' ? `the result of ${nameOf(call)}` : `a ${kind}`
  return differenceOf(request, what, recorded?.text ?? null, replayed?.text ?? null)
}

const differenceOf = (
  request: number,
  what: string,
  recorded: string | null,
  replayed: string | null,
): Difference[] => {
  const [before, now] = [recorded, replayed].map((text) => (text === null ? null : normalised(text)))
  if (before === now) return []
  const start = partingOf(before ?? '', now ?? '')
  return [{ request, what, recorded: shortened(before ?? null, start), replayed: shortened(now ?? null, start) }]
}

const shown = 200

/** Where the line begins in which they part. */
const partingOf = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return Math.max(a.lastIndexOf('\n', at - 1) + 1, at - shown / 2, 0)
}

const shortened = (text: string | null, start: number): string | null => {
  if (text === null) return null
  const rest = text.slice(start)
  return `${start > 0 ? '… ' : ''}${rest.length > shown ? `${rest.slice(0, shown)} …` : rest}`
}

const countResults = (pairs: readonly Pair[]): ReplayedTurnView['results'] => {
  const results = pairs.filter(({ recorded }) => recorded?.kind === 'result')
  const equal = results.filter(
    ({ recorded, replayed }) => normalised(recorded?.text ?? '') === (replayed && normalised(replayed.text)),
  ).length
  return { equal, different: results.length - equal }
}

/** Which files of two trees are not the same. */
export const compareFiles = (
  recorded: ReadonlyMap<string, string>,
  replayed: ReadonlyMap<string, string>,
): FileDifference[] => {
  const paths = [...new Set([...recorded.keys(), ...replayed.keys()])].toSorted()
  return paths
    .filter((path) => recorded.get(path) !== replayed.get(path))
    .map((path) => ({ path, kind: fileKind(recorded.has(path), replayed.has(path)) }))
}

const fileKind = (was: boolean, is: boolean): FileDifference['kind'] => {
  if (was && is) return 'different'
  return was ? 'missing' : 'extra'
}
