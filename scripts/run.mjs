// `npm start`, `npm test` and the other scripts that run Rein: first what is missing on this machine, then the thing itself.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  BROWSERS,
  CannotRun,
  ensureTools,
  hasBrowser,
  installBrowser,
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
  if (args.includes('--against')) {
    const { compareBenches } = await import('./bench-against.mjs')
    return compareBenches(args)
  }
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
  await installBrowser()
  const { runTests } = await import('./tests.mjs')
  return runTests(tier, args)
}

/** The page in a real browser. */
async function testWeb() {
  await requireBrowser()
  const { runTests } = await import('./tests.mjs')
  return runTests('full', args.length === 0 ? ['test/web/'] : args)
}

/** The page's pictures are made by a real browser, too. */
async function webPictures() {
  await requireBrowser()
  const { bundleTs } = await import('./load-ts.mjs')
  return run(process.execPath, [await bundleTs('test/web/pictures.ts'), ...args])
}

async function requireBrowser() {
  await installBrowser()
  if (!hasBrowser()) throw new CannotRun(`needs ${BROWSERS[0]}: install it and try again.`)
}

/** Every test that docs/threats.md names as the proof of what holds. */
async function testHostile() {
  await installTools(TEST_TOOLS)
  const [{ runTests }, { loadTs }] = await Promise.all([import('./tests.mjs'), import('./load-ts.mjs')])
  const { proofFiles, readRows } = await loadTs('test/support/proof-links.ts')
  const page = 'docs/threats.md'
  const rows = readRows(readFileSync(path.join(ROOT, page), 'utf8'), 'Attackers and defences')
  const files = [...new Set(rows.flatMap((row) => proofFiles(row, page)))]
  return runTests('full', [...files, ...args])
}

const ACTIONS = {
  start,
  bench,
  campaign,
  soak,
  conformance,
  test: () => test('test'),
  'test:full': () => test('full'),
  'test:hostile': testHostile,
  'test:web': testWeb,
  'pictures:web': webPictures,
}

async function main() {
  requireNode()
  await installPackages(action === 'start' ? 'demo' : 'all')
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
