// What a pack of rules, with those that are built in, would have done to commands that were really run:
//   node tools/eval-rules.mjs safe-shell HISTORY.jsonl... [--doc docs/rules-bypass.md]
// With --doc, the figures are written between the marks of that page. A history is what `rein memory eval` reads: one command a line, with cmd and cwd.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { loadTs } from '../scripts/load-ts.mjs'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { doc: { type: 'string' } } })
const [pack, ...files] = positionals
if (pack === undefined || files.length === 0) throw new Error('which pack, and which history?')

const { loadRules } = await loadTs('src/features/rules/load.ts')
const { builtIn, judgeShell } = await loadTs('test/support/judge-shell.ts')
const { usualEntries } = await loadTs('test/support/rules-world.ts')

const file = path.join(import.meta.dirname, `../src/features/rules/packs/${pack}.yaml`)
const set = await loadRules([builtIn, { origin: 'pack', file, text: readFileSync(file, 'utf8'), isTrusted: true }])
if (set.problems.length > 0) throw new Error(JSON.stringify(set.problems, null, 2))

const commandsOf = (history) =>
  readFileSync(history, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** What stands for a secret in a published history was a plain word when it was run. */
const asRun = (command) => command.replaceAll(/<(B64|SECRET)>/g, '$1')

const placesOf = (cwd) => ({ cwd, root: cwd, home: /^\/(?:home|Users)\/[^/]+/.exec(cwd)?.[0] ?? '/home/somebody' })

/** What is done to the call: the strongest that a rule says, and whether only because it cannot be read. */
const outcomeOf = (findings) => {
  const strongest = ['block', 'ask']
    .map((action) => findings.filter((each) => each.action === action))
    .find((each) => each.length > 0)
  if (strongest === undefined) return null
  const certain = strongest.find(({ isDoubt }) => !isDoubt)
  return {
    kind: `${strongest[0].action}${certain === undefined ? ' in doubt' : ''}`,
    rule: (certain ?? strongest[0]).rule.rule.name,
  }
}

const found = new Map()
let commands = 0
let slowest = 0
const started = performance.now()
for (const { cmd, cwd } of files.flatMap(commandsOf)) {
  commands++
  const begun = performance.now()
  const places = placesOf(cwd || '/work')
  const outcome = outcomeOf(await judgeShell(set, asRun(cmd), places, usualEntries(places.root)))
  slowest = Math.max(slowest, performance.now() - begun)
  if (outcome === null) continue
  const key = `${outcome.kind}: ${outcome.rule}`
  found.set(key, [...(found.get(key) ?? []), cmd])
}
const took = performance.now() - started

for (const [key, lines] of [...found].toSorted(([one], [other]) => one.localeCompare(other))) {
  console.log(`\n${key}: ${lines.length}`)
  for (const line of new Set(lines)) console.log(`  ${JSON.stringify(line.slice(0, 300))}`)
}
const share = (count) => `${count} (${((100 * count) / commands).toFixed(3)} %)`
const count = (kind) =>
  [...found].filter(([key]) => key.startsWith(`${kind}: `)).reduce((sum, [, lines]) => sum + lines.length, 0)
const kinds = ['block', 'block in doubt', 'ask', 'ask in doubt']
console.log(
  `\n${commands} commands, ${((1000 * took) / commands).toFixed(0)} µs each, the slowest ${slowest.toFixed(0)} ms.`,
)
for (const kind of kinds) console.log(`${kind}: ${share(count(kind))}`)

if (values.doc !== undefined) {
  const rows = kinds.map((kind) => `| ${kind} | ${share(count(kind))} |`)
  const table = [
    `Of ${commands.toLocaleString('en')} recorded commands of agents and people, \`${pack}\` and the built-in rules stop:`,
    '',
    '| | commands |',
    '|---|---|',
    ...rows,
  ]
  const page = readFileSync(values.doc, 'utf8')
  writeFileSync(
    values.doc,
    page.replace(
      /(<!-- eval:.*-->\n)[^]*(<!-- \/eval -->)/,
      (_, open, close) => `${open}${table.join('\n')}\n${close}`,
    ),
  )
}
