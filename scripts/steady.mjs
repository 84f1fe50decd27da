// `npm run test:steady -- --runs 5 --loaded 3`: `npm test` again and again, each time in a fresh clone of HEAD with an empty home, some of the runs beside busy loops.
// Results are kept for each commit, so a run that was cut off goes on where it ended.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { describeSeconds } from './progress.mjs'
import { capture } from './spawn.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const KEPT = path.join(ROOT, 'node_modules/.cache/rein/steady')
const USAGE = `npm run test:steady -- [--runs 5] [--loaded 3] [--load 6] [--again]
  --runs N     runs on the machine as it is
  --loaded N   runs beside busy loops
  --load N     how many busy loops
  --again      forget the results of this commit`

function readOptions() {
  const number = { type: 'string' }
  const options = { runs: number, loaded: number, load: number, again: { type: 'boolean' }, help: { type: 'boolean' } }
  const { values } = parseArgs({ options, args: process.argv.slice(2) })
  const count = (name, usual) => {
    const value = Number(values[name] ?? usual)
    if (!Number.isInteger(value) || value < 0)
      throw new Error(`--${name} takes a whole number, not "${String(values[name])}".`)
    return value
  }
  return {
    runs: count('runs', 5),
    loaded: count('loaded', 3),
    load: count('load', 6),
    again: values.again,
    help: values.help,
  }
}

/** The children that a Ctrl-C must take along. */
const children = new Set()

/** Each leads a process group of its own, which ends as a whole. */
function start(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

function endAll() {
  for (const child of children) {
    try {
      process.kill(-child.pid, 'SIGTERM')
    } catch {
      // It ended by itself.
    }
  }
}

const makeLoad = (count) =>
  Array.from({ length: count }, () => start(process.execPath, ['-e', 'for(;;){}'], { stdio: 'ignore' }))

/** Nothing of this user's but what npm needs to reach its registry, and nothing that npm told this script. */
function cleanEnvironment(home) {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|REIN_|VITEST|INIT_CWD|NODE_ENV)/i.test(name))
  return { ...Object.fromEntries(own), HOME: home }
}

async function cloneHead(commit) {
  const root = mkdtempSync(path.join(tmpdir(), 'rein-steady-'))
  // As a clone usually is: some tests run its programs as another user.
  chmodSync(root, 0o755)
  const [clone, home] = [path.join(root, 'rein'), path.join(root, 'home')]
  mkdirSync(home)
  const npmrc = path.join(homedir(), '.npmrc')
  if (existsSync(npmrc)) copyFileSync(npmrc, path.join(home, '.npmrc'))
  for (const args of [
    ['clone', '--quiet', '--no-checkout', ROOT, clone],
    ['-C', clone, 'checkout', '--quiet', commit],
  ]) {
    const { code, output } = await capture('git', args)
    if (code !== 0) throw new Error(`git ${args.join(' ')}: ${output}`)
  }
  return { root, clone, home }
}

/** One `npm test`; its output goes to a file, which stays when it fails. */
async function runOnce(kind, { load }, commit, log) {
  const { root, clone, home } = await cloneHead(commit)
  const busy = kind === 'loaded' ? makeLoad(load) : []
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1000)
  const result = { kind, passed: 0, failed: 1, install: null, failures: [] }
  const printed = []
  const child = start('npm', ['test'], {
    cwd: clone,
    env: cleanEnvironment(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const readAll = async (stream) => {
    for await (const line of createInterface({ input: stream })) {
      printed.push(line)
      if (line.startsWith('· checks, then')) result.install = seconds()
      if (/^(✗|· |✓)/.test(line)) console.log(`    ${line}`)
      if (line.startsWith('✗ ')) result.failures.push(line.slice(2))
      const [, passed, failed] = /^(\d+) passed, (\d+) failed(, \d+ skipped)?$/.exec(line) ?? []
      if (passed !== undefined) Object.assign(result, { passed: Number(passed), failed: Number(failed) })
    }
  }
  await Promise.all([readAll(child.stdout), readAll(child.stderr), ended])
  for (const one of busy) one.kill('SIGKILL')
  writeFileSync(log, `${printed.join('\n')}\n`)
  rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  return { ...result, seconds: seconds(), isGreen: (await ended) === 0 && result.failed === 0, log }
}

function describeRun({ kind, seconds, install, passed, failed, isGreen, log }, index) {
  const parts = [`${passed} passed, ${failed} failed`, describeSeconds(seconds)]
  if (install !== null) parts.push(`of it ${describeSeconds(install)} for the installation`)
  return `${isGreen ? '✓' : '✗'} ${index + 1} ${kind}: ${parts.join(', ')}${isGreen ? '' : ` (${log})`}`
}

async function main() {
  const options = readOptions()
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const { output } = await capture('git', ['-C', ROOT, 'rev-parse', 'HEAD'])
  const commit = output.trim()
  const { output: changed } = await capture('git', ['-C', ROOT, 'status', '--porcelain'])
  if (changed.trim() !== '') console.log('! there are uncommitted changes: what is tested is HEAD.')
  const directory = path.join(KEPT, commit.slice(0, 12))
  mkdirSync(directory, { recursive: true })
  const file = path.join(directory, 'runs.json')
  const runs = existsSync(file) && !options.again ? JSON.parse(readFileSync(file, 'utf8')) : []
  for (const [kind, wanted] of [
    ['idle', options.runs],
    ['loaded', options.loaded],
  ])
    while (runs.filter((run) => run.kind === kind).length < wanted) {
      console.log(
        `· run ${runs.length + 1} of ${options.runs + options.loaded}, ${kind}, commit ${commit.slice(0, 12)}`,
      )
      runs.push(await runOnce(kind, options, commit, path.join(directory, `${runs.length + 1}-${kind}.log`)))
      writeFileSync(file, JSON.stringify(runs, null, 1))
      console.log(describeRun(runs.at(-1), runs.length - 1))
    }
  console.log(`\n${runs.map(describeRun).join('\n')}`)
  const green = runs.filter((run) => run.isGreen).length
  console.log(`${green} of ${runs.length} runs green on ${commit.slice(0, 12)}`)
  return green === runs.length ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    endAll()
    process.exit(130)
  })

try {
  process.exitCode = await main()
} catch (error) {
  console.error(`rein: ${error.message}\n${USAGE}`)
  process.exitCode = 2
}
