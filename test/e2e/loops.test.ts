import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import { cliNamed } from '../clis.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'

const watching = { REIN_LOOPS_ENABLED: 'true' }
const limits = { REIN_LOOPS_NOTE: '2', REIN_LOOPS_ASK: '3', REIN_LOOPS_STOP: '5' }

const start = (options: TestOptions = {}): Promise<TestRein> =>
  startRein({ scenario: '', ...options, config: { ...watching, ...limits, ...options.config } })

const again = (step: string, times: number): string => Array.from({ length: times }, () => step).join(' ;; ')

/** Resolves at the first record of this kind. */
const noticed = ({ record }: TestRein, type: string): Promise<AnyRecord> =>
  record('loops', (one): one is AnyRecord => one.type === type)

const paused = ({ record }: TestRein): Promise<AnyRecord> =>
  record('agents', (one): one is AnyRecord => one.type === 'agent.state' && one.body.state === 'idle')

const asking = ({ record }: TestRein): Promise<AnyRecord> =>
  record('agents', (one): one is AnyRecord => one.type === 'agent.state' && one.body.question !== null)

test('Claude Code: a command that fails again and again is noted, asked about and stopped', async () => {
  const rein = await start()
  writeFileSync(join(rein.cwd, 'check.sh'), 'echo "3 tests failed"; exit 1\n')
  await rein.up(`${again('RUN:sh check.sh', 9)} ;; SAY:done`)
  await asking(rein)
  const { requests } = rein.sim
  console.log(requests.at(-1)?.text)
  console.log((await rein.rein('ps')).stdout, (await rein.rein('loops')).stdout)
  await rein.rein('answer', 'worker', 'allow')
  await noticed(rein, 'loop.stopped').catch(() => undefined)
  await paused(rein)
  console.log((await rein.rein('ps')).stdout, (await rein.rein('loops')).stdout, (await rein.rein('logs', 'worker')).stdout,  (await rein.rein('session', 'show', 'worker', '1')).stdout)
  expect(describe).toBeDefined()
  expect(cliNamed).toBeDefined()
})
