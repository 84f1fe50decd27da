// `npm test` and `npm run test:full`: checks, then the groups of tests. Arguments go to vitest and leave out the checks: `npm test -- src/base/log`.
import { randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { loadTs } from './load-ts.mjs'
import { describeSeconds } from './progress.mjs'
import { run } from './spawn.mjs'

const ROOT = path.join(import.meta.dirname, '..')
const CHECK_SECONDS = 25
const REPORT = path.join(ROOT, 'node_modules/.cache/rein/tests.json')

/** Property tests try the same values in every `npm test`; `npm run test:full` tries new ones. */
const FIXED_SEED = 3

export async function runTests(tier, args) {
  const began = performance.now()
  const { groupsOfTier } = await loadTs('test/support/groups.ts')
  const isWhole = args.length === 0
  const groups = groupsOfTier(isWhole ? tier : 'full')
  const seed = process.env.REIN_TEST_SEED ?? String(tier === 'full' ? randomInt(2 ** 31) : FIXED_SEED)
  const weaknesses = await tellWeaknesses()
  const tracesOf = await traceFinder()
  const before = tracesOf()
  if (isWhole) announce(groups, seed)
  if (isWhole && (await run(process.execPath, [path.join(ROOT, 'scripts/check.mjs')])) !== 0) return total(0, 1)
  const { passed, failed, skipped } = await runVitest(groups, args, {
    REIN_TEST_SEED: seed,
    REIN_TEST_WHOLE: isWhole ? '1' : '0',
  })
  const traces = tracesOf().filter((trace) => !before.includes(trace))
  for (const trace of traces) console.log(`✗ left behind: ${trace}`)
  if (isWhole) console.log(`${describeSeconds((performance.now() - began) / 1000)} without the installation.`)
  for (const weakness of weaknesses) console.log(`Weaker here: ${weakness}`)
  return total(passed, failed + traces.length, skipped)
}

function announce(groups, seed) {
  const seconds = groups.reduce((sum, group) => sum + group.seconds, CHECK_SECONDS)
  const about = `about ${Math.ceil(seconds / 60)} minutes on two idle cores`
  const names = groups.map(({ name }) => name).join(', ')
  console.log(`· checks, then ${names}: ${about}. Property tests: REIN_TEST_SEED=${seed}`)
}

/** What this machine or user lacks makes some tests weaker: each is named, before and after. */
async function tellWeaknesses() {
  const { findWeaknesses } = await loadTs('test/support/abilities.ts')
  const weaknesses = findWeaknesses()
  for (const weakness of weaknesses) console.log(`! weaker here: ${weakness}`)
  return weaknesses
}

/** Tests give every CLI a home of its own: elsewhere nothing new may be found after them. */
async function traceFinder() {
  const { tracesIn } = await loadTs('test/support/traces.ts')
  return () => tracesIn('/', homedir())
}

async function runVitest(groups, args, more) {
  rmSync(REPORT, { force: true })
  mkdirSync(path.dirname(REPORT), { recursive: true })
  const vitest = path.join(ROOT, 'node_modules/vitest/vitest.mjs')
  const projects = groups.flatMap(({ name }) => ['--project', name])
  const reporter = `--reporter=${path.join(ROOT, 'scripts/test-report.mjs')}`
  const flags = ['--root', ROOT, '--silent=passed-only', reporter, ...projects]
  const code = await run(process.execPath, [vitest, 'run', ...flags, ...args], {
    env: { ...process.env, ...more, REIN_TEST_REPORT: REPORT },
  })
  const { passed, failed, skipped } = readReport()
  return { passed, skipped, failed: code === 0 ? failed : Math.max(failed, 1) }
}

function readReport() {
  try {
    return JSON.parse(readFileSync(REPORT, 'utf8'))
  } catch {
    return { passed: 0, failed: 1 }
  }
}

function total(passed, failed, skipped = 0) {
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`)
  return failed === 0 ? 0 : 1
}
