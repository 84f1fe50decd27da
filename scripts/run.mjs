// `npm start`, `npm test` and the other scripts that run Rein: first what is missing on this machine, then the thing itself.
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  CannotRun,
  ensureSqlite,
  ensureTools,
  installPackages,
  installTools,
  requireNode,
  TEST_TOOLS,
  TOOLS,
} from './prepare.mjs'
import { run } from './spawn.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const [action, ...args] = process.argv.slice(2)

const runNode = (script, scriptArgs = []) => run(process.execPath, [path.join(ROOT, script), ...scriptArgs])

const start = () => runNode('bin/rein.cjs', ['demo', ...args])

async function bench() {
  const { bundleTs } = await import('./load-ts.mjs')
  return run(process.execPath, [await bundleTs('bench/main.ts'), ...args])
}

/** The stand-in agent is a program of its own, which the daemon starts in place of Claude Code. */
async function campaign() {
  const { bundleTs } = await import('./load-ts.mjs')
  const standIn = await bundleTs('test/campaign/stand-in/main.ts')
  return run(process.execPath, [await bundleTs('test/campaign/main.ts'), '--stand-in', standIn, ...args])
}

async function soak() {
  const { bundleTs } = await import('./load-ts.mjs')
  const standIn = await bundleTs('test/campaign/stand-in/main.ts')
  return run(process.execPath, [await bundleTs('test/soak/main.ts'), '--stand-in', standIn, ...args])
}

async function conformance() {
  const suite = await import('./conformance.mjs')
  return suite.conformance(args)
}

async function test(tier) {
  await installTools(TEST_TOOLS)
  const { runTests } = await import('./tests.mjs')
  return runTests(tier, args)
}

const ACTIONS = {
  start,
  bench,
  campaign,
  soak,
  conformance,
  test: () => test('test'),
  'test:full': () => test('full'),
}

async function main() {
  requireNode()
  const packages = action === 'start' ? 'demo' : 'all'
  await installPackages(packages)
  await ensureSqlite(packages)
  await (action.startsWith('test') ? installTools(TOOLS) : ensureTools(TOOLS))
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale()
  return ACTIONS[action]()
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof CannotRun)) throw error
  console.error(`rein: ${error.message}`)
  process.exitCode = 1
}
