import type { EvalView } from '../../../contract/outputs/memory.ts'
import { Predictor } from '../predict/predictor.ts'
import { trainedWeights } from '../predict/weights.ts'
import { type HistoryRow, inReplayOrder, turns } from './replay.ts'
import { type Guess, Scoreboard } from './score.ts'
import { shuffled } from './shuffle.ts'

interface EvalOptions {
  /** Whether the control is to be run, too. */
  readonly shuffle: boolean
  readonly onPrediction?: (row: HistoryRow, guesses: readonly Guess[]) => void
  /** How many commands are done, of how many. */
  readonly onProgress?: (done: number, total: number) => void
}

const SUGGESTIONS = 10
const PROGRESS_EVERY = 100

/** How well the commands of a history would have been predicted, each from those before it and nothing else. */
export function evaluate(rows: readonly HistoryRow[], options: EvalOptions): EvalView {
  const ordered = inReplayOrder(rows)
  const total = rows.length * (options.shuffle ? 2 : 1)
  const report = (done: number): void => {
    if (done % PROGRESS_EVERY === 0 || done === total) options.onProgress?.(done, total)
  }
  const board = scored(ordered, options, report)
  const control = options.shuffle
    ? scored(shuffled(ordered), { ...options, onPrediction: () => {} }, (done) => report(rows.length + done))
    : undefined
  return {
    commands: rows.length,
    groups: board.groups,
    exact: board.level('exact'),
    template: board.level('template'),
    shuffled: control === undefined ? null : { exact: control.level('exact'), template: control.level('template') },
  }
}

function scored(rows: readonly HistoryRow[], options: EvalOptions, report: (done: number) => void): Scoreboard {
  const predictor = new Predictor(trainedWeights())
  const board = new Scoreboard()
  let done = 0
  for (const { row, event, moment } of turns(rows)) {
    const guesses = predictor.predict(moment, SUGGESTIONS).map(({ text, score }) => ({ cmd: text, p: score }))
    board.add(row, guesses)
    options.onPrediction?.(row, guesses)
    predictor.observe(event)
    report(++done)
  }
  return board
}
