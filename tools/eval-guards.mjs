// How many lines of a corpus pass `safe-shell` and the built-in rules that should not, and how many are stopped that should pass:
//   node tools/eval-guards.mjs CORPUS.jsonl... [--show] [--alive]
// A corpus has one JSON object a line: {"line": "…", "class": "forced-push"}; the class `harmless` should pass. `ask` counts as stopped.
// Each line is judged twice: by the rules engine, as a daemon does, and by `bin/rein-guard` with no daemon (--alive leaves this out).
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadTs } from '../scripts/load-ts.mjs'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean' }, alive: { type: 'boolean' } },
})
if (positionals.length === 0) throw new Error('which corpus?')
const { openJudges } = await loadTs('test/hostile/judges.ts')

const lines = positionals.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text)),
)
const judges = await openJudges({ isDeadToo: values.alive !== true })
/** Two cores: a few at once, each line by itself. */
const AT_ONCE = 3
for (const [state, stops] of Object.entries(judges.states)) {
  const tally = new Map()
  for (let at = 0; at < lines.length; at += AT_ONCE) {
    const some = lines.slice(at, at + AT_ONCE)
    const outcomes = await Promise.all(some.map(({ line }) => stops(line)))
    for (const [index, { line, class: kind }] of some.entries()) {
      const stopped = outcomes[index]
      const isWrong = kind === 'harmless' ? stopped !== null : stopped === null
      const { all, wrong } = tally.get(kind) ?? { all: 0, wrong: 0 }
      tally.set(kind, { all: all + 1, wrong: wrong + (isWrong ? 1 : 0) })
      if (isWrong && values.show) console.log(`  ${state} ${kind}: ${JSON.stringify(line)} ${stopped ?? ''}`)
    }
  }
  for (const [kind, { all, wrong }] of tally)
    console.log(
      `daemon ${state}: ${kind}: ${wrong} of ${all} ${kind === 'harmless' ? 'stopped' : 'missed'} (${((100 * wrong) / all).toFixed(2)} %)`,
    )
}
await judges.close()
