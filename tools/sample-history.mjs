// Draws distinct commands uniformly at random from command histories, as harmless lines for `eval-guards.mjs`:
//   node tools/sample-history.mjs SEED HISTORY.jsonl... > sample.jsonl
// The seed and the order of the files are the only choice. A command that occurs often counts once.
import { readFileSync } from 'node:fs'

const HOW_MANY = 1_100
const [given, ...files] = process.argv.slice(2)
const seed = Number(given)
if (!Number.isInteger(seed) || files.length === 0) throw new Error('which seed, and which histories?')

/** What stands for a secret in a published history was a plain word when it was run. */
const plain = (cmd) => cmd.replaceAll('<SECRET>', 'SECRET').replaceAll('<B64>', 'B64')
const commands = files.flatMap((file) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text).cmd),
)
const list = [...new Set(commands.filter((cmd) => typeof cmd === 'string' && cmd.trim() !== '').map(plain))]

// mulberry32, and a Fisher-Yates shuffle of which only the first places are needed.
let state = seed >>> 0
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0
  let t = state
  t = Math.imul(t ^ (t >>> 15), t | 1)
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}
for (let at = 0; at < HOW_MANY; at++) {
  const other = at + Math.floor(random() * (list.length - at))
  ;[list[at], list[other]] = [list[other], list[at]]
}
for (const line of list.slice(0, HOW_MANY)) console.log(JSON.stringify({ line, class: 'harmless' }))
