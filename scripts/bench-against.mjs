// `npm run bench -- --against REV [topics] [--rounds 3]`: the same topics here and at another commit, turn and turn about, so that whatever disturbs the machine disturbs both.
// Benchmarks print their figures as ratios against a baseline of the same run: those lines are compared, so that any commit that prints them can be.
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { CannotRun } from './prepare.mjs'
import { showProgress } from './progress.mjs'
import { capture } from './spawn.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const USAGE = 'npm run bench -- --against REV [topics] [--rounds N]'

/** Compares the topics named by `args` with those of another commit; the exit code says whether that worked. */
export async function compareBenches(args) {
  const { rev, rounds, topics } = readArguments(args)
  const sides = [
    { name: 'there', root: await checkOut(rev), figures: new Map() },
    { name: 'here', root: ROOT, figures: new Map() },
  ]
  for (let round = 0; round < rounds; round += 1)
    for (const topic of topics)
      for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
        const running = showProgress(`round ${round + 1} of ${rounds}: ${topic} ${side.name}`)
        readFigures(await runBench(side, topic).finally(running.stop), topic, side.figures)
        running.done()
      }
  console.log(`\n${renderComparison(sides, rev)}`)
  return 0
}

function readArguments(args) {
  const topics = []
  let [rev, rounds] = [undefined, 3]
  for (let at = 0; at < args.length; at += 1)
    if (args[at] === '--against') rev = args[(at += 1)]
    else if (args[at] === '--rounds') rounds = Number(args[(at += 1)])
    else if (args[at].startsWith('--')) throw new CannotRun(`--against does not go with ${args[at]}: ${USAGE}`)
    else topics.push(args[at])
  if (rev === undefined || !Number.isInteger(rounds) || rounds < 1) throw new CannotRun(`usage: ${USAGE}`)
  if (topics.length === 0) throw new CannotRun(`name the topics, all of them take hours: ${USAGE}`)
  return { rev, rounds, topics }
}

/** A checkout of its own, kept for the next comparison; it installs and builds itself at its first run. */
async function checkOut(rev) {
  const { code, output } = await capture('git', ['-C', ROOT, 'rev-parse', '--verify', `${rev}^{commit}`])
  if (code !== 0) throw new CannotRun(`there is no commit "${rev}".`)
  const commit = output.trim()
  const root = path.join(ROOT, 'node_modules/.cache/rein/against', commit.slice(0, 12))
  if (existsSync(root)) return root
  mkdirSync(path.dirname(root), { recursive: true })
  for (const git of [
    ['clone', '--quiet', '--no-checkout', ROOT, root],
    ['-C', root, 'checkout', '--quiet', commit],
  ]) {
    const cloned = await capture('git', git)
    if (cloned.code === 0) continue
    rmSync(root, { recursive: true, force: true })
    throw new CannotRun(`git ${git.join(' ')}: ${cloned.output}`)
  }
  return root
}

async function runBench({ name, root }, topic) {
  const { code, output } = await capture(process.execPath, ['scripts/run.mjs', 'bench', topic], { cwd: root })
  if (code !== 0) throw new CannotRun(`the benchmark ${topic} failed ${name} (${root}):\n${output.trim()}`)
  return output
}

/** Takes the lines `- met: WHAT VALUE (goal: at most LIMIT)` out of what a benchmark printed. */
function readFigures(output, topic, figures) {
  for (const [, what, value, kind] of output.matchAll(
    /^- (?:met|\*\*missed\*\*): (.+) (\S+) \(goal: (at \w+) \S+\)$/gm,
  )) {
    const key = `${topic}: ${what}`
    figures.set(key, { kind, values: [...(figures.get(key)?.values ?? []), Number(value)] })
  }
}

function renderComparison([there, here], rev) {
  const rows = [...new Set([...there.figures.keys(), ...here.figures.keys()])].map((what) => {
    const [old, now] = [there, here].map(({ figures }) => figures.get(what))
    const cells = [old, now].map((figure) => (figure === undefined ? '–' : describeValues(figure.values)))
    return `| ${[what, ...cells, old === undefined || now === undefined ? '–' : judge(old, now)].join(' | ')} |`
  })
  return [`| figure: median (least–most) | ${rev} | here | |`, '|---|---:|---:|---|', ...rows].join('\n')
}

const middle = (values) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)]

function describeValues(values) {
  const range = values.length > 1 ? ` (${Math.min(...values)}–${Math.max(...values)})` : ''
  return `${middle(values)}${range}`
}

/** Two commits differ when no run of one is among the runs of the other. */
function judge({ kind, values: old }, { values: now }) {
  const isBelow = Math.max(...now) < Math.min(...old)
  const isAbove = Math.min(...now) > Math.max(...old)
  if (!isBelow && !isAbove) return 'same'
  return isBelow === (kind === 'at most') ? 'better' : '**worse**'
}
