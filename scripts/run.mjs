// `npm start`, `npm test`, `npm run bench`, `npm run campaign`, `npm run soak` and `npm run conformance`: first what is missing on this machine, then the thing itself.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { CannotRun, ensureSqlite, ensureTools, installPackages, requireNode, SHELLS } from './prepare.mjs'
import { run } from './spawn.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const REPORT = path.join(ROOT, 'node_modules/.cache/rein/tests.json')
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

/** Arguments go to vitest and leave out the checks: `npm test -- src/log`. */
async function test() {
  await ensureTools(SHELLS)
  if (args.length === 0 && (await runNode('scripts/check.mjs')) !== 0) return total(0, 1)
  rmSync(REPORT, { force: true })
  mkdirSync(path.dirname(REPORT), { recursive: true })
  const seconds = path.join(ROOT, 'scripts/second-tries.mjs')
  const reporters = ['--reporter=default', `--reporter=${seconds}`, '--reporter=json', `--outputFile.json=${REPORT}`]
  const code = await runNode('node_modules/vitest/vitest.mjs', ['run', '--root', ROOT, ...reporters, ...args])
  const { passed, failed } = countTests()
  return total(passed, code === 0 ? failed : Math.max(failed, 1))
}

/** A file that could not even be loaded counts as one failed test. */
function countTests() {
  try {
    const report = JSON.parse(readFileSync(REPORT, 'utf8'))
    const unloaded = report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0)
    return { passed: report.numPassedTests, failed: report.numFailedTests + unloaded.length }
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function total(passed, failed) {
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

async function main() {
  requireNode()
  await installPackages()
  await ensureSqlite()
  await ensureTools()
  const { buildIfStale } = await import('./build.mjs')
  await buildIfStale()
  return { start, test, bench, campaign, soak, conformance }[action]()
}

try {
  process.exitCode = await main()
} catch (error) {
  if (!(error instanceof CannotRun)) throw error
  console.error(`rein: ${error.message}`)
  process.exitCode = 1
}
