// How well commands of projects never seen in training are predicted:
//   node tools/eval-commands.mjs HISTORY.jsonl WEIGHTS.ts... [--out PREDICTIONS.jsonl]
// WEIGHTS are the four of `tools/train-commands.mjs --left-out`: each project is predicted with those for which it was
// left out. With the shipped weights that is `rein memory eval HISTORY.jsonl`.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { bundleTs, loadTs } from '../scripts/load-ts.mjs'

const SUGGESTIONS = 10
const ROOT = path.join(import.meta.dirname, '..')

const { Predictor } = await loadTs('src/features/memory/predict/predictor.ts')
const { decodeWeights } = await loadTs('src/features/memory/predict/weights.ts')
const { groupsOf, inReplayOrder, turns } = await loadTs('src/features/memory/eval/replay.ts')
const { Scoreboard } = await loadTs('src/features/memory/eval/score.ts')

const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })
const [file, ...weightFiles] = positionals
if (file === undefined || weightFiles.length === 0) throw new Error('which history, and which weights?')

const rows = inReplayOrder(
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line)),
)
const foldOf = new Map(groupsOf(rows).flatMap((group, index) => group.map((row) => [row, index % weightFiles.length])))
const guessesOf = new Map()
for (const [fold, weights] of weightFiles.entries()) {
  const { trained } = await import(await bundleTs(path.relative(ROOT, path.resolve(weights))))
  const predictor = new Predictor(decodeWeights(trained))
  const last = rows.findLastIndex((row) => foldOf.get(row) === fold)
  for (const { row, event, moment } of turns(rows.slice(0, last + 1))) {
    const guesses = predictor.predict(moment, SUGGESTIONS).map(({ text, score }) => ({ cmd: text, p: score }))
    predictor.observe(event)
    if (foldOf.get(row) === fold) guessesOf.set(row, guesses)
  }
}
const board = new Scoreboard()
for (const row of rows) board.add(row, guessesOf.get(row))
console.log(JSON.stringify({ exact: board.level('exact'), template: board.level('template') }, undefined, 1))

const lineOf = (row) => `${JSON.stringify({ session: row.session, seq: row.seq, suggestions: guessesOf.get(row) })}\n`
if (values.out !== undefined) writeFileSync(values.out, rows.map(lineOf).join(''))
