// How often an agent that goes on with its work would be told that it goes in circles:
//   node tools/eval-loops.mjs HISTORY.jsonl... [--note 3]
// A history is what `rein memory eval` reads: one command a line, with session, cmd, exit, err, since and edited.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { loadTs } from '../scripts/load-ts.mjs'

const { replay } = await loadTs('tools/replay-loops.ts')
const { seenText } = await loadTs('src/contract/loop-text.ts')

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { note: { type: 'string', default: '3' } },
})
if (positionals.length === 0) throw new Error('which history?')

const linesOf = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

const { sessions, turns, commands, notes } = replay(positionals.flatMap(linesOf), Number(values.note))
for (const { session, loop } of notes) console.log(`${session}: ${seenText(loop)}`)
const noted = new Set(notes.map(({ session }) => session)).size
const rate = ((1000 * notes.length) / turns).toFixed(1)
console.log(`${commands} commands, ${turns} turns, ${sessions} sessions.`)
console.log(`${notes.length} notes in ${noted} sessions: ${rate} for each 1,000 turns.`)
