import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Options } from './options.ts'
import { repository } from './stage.ts'
import type { Tally } from './tally.ts'

interface Measured {
  fault: string
  took: number[]
}

/** The tests of the hook client against daemons that fail, each fault as often as `--kills` says. */
export const runHookFaults = async ({ kills, seed }: Options): Promise<Tally> => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-hooks-'))
  const report = join(dir, 'report.jsonl')
  const code = await runTests({ REIN_HOOK_TIMES: String(kills), REIN_HOOK_REPORT: report })
  const measured = existsSync(report) ? readReport(report) : []
  rmSync(dir, { recursive: true })
  const counts = Object.fromEntries(measured.flatMap(row))
  const late = measured.filter((one) => lateOnes(one) > 0).map(({ fault }) => `too late: ${fault}`)
  const failures = [...late, ...(code === 0 ? [] : ['a run was not silent, or left something behind'])]
  return { mode: `hook client, each fault ${kills} times, milliseconds until it ended`, seed, counts, failures }
}

const runTests = async (env: Record<string, string>): Promise<number> => {
  const vitest = join(repository, 'node_modules/vitest/vitest.mjs')
  const which = ['test/process/rein-hook.test.ts', '-t', 'leaves no trace|does not hold the hook up']
  const child = spawn(process.execPath, [vitest, 'run', '--root', repository, '--project', 'process', ...which], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}

const readReport = (file: string): Measured[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Measured)

const limitOf = ({ fault }: Measured): number => (fault.startsWith('stdin') ? 1_000 : 200)

const lateOnes = (measured: Measured): number => measured.took.filter((ms) => ms > limitOf(measured)).length

const row = (measured: Measured): [string, number][] => [
  [`${measured.fault}: within ${limitOf(measured)} ms`, measured.took.length - lateOnes(measured)],
  [`${measured.fault}: p95`, percentile(measured.took, 0.95)],
]

const percentile = (values: number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0)
