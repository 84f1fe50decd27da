import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processStartTime } from '../../src/util/process.ts'
import type { Tally } from '../campaign/tally.ts'
import { doublesAmong } from '../soak/processes.ts'
import { repository, run } from './harness.ts'

const seed = process.env['REIN_TEST_SEED'] ?? '3'
const program = join(repository, 'scripts/run.mjs')
const limitMs = 240_000

const soak = async (...args: string[]): Promise<Tally & { said: string }> => {
  const command = [process.execPath, program, 'soak', '--seed', seed, '--json', ...args]
  const { stdout, stderr } = await run(command, { env: { PATH: process.env['PATH'] ?? '', HOME: tmpdir() } })
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (line === undefined) throw new Error(`The soak says: ${stdout}${stderr}`)
  return { ...(JSON.parse(line) as Tally), said: stderr }
}

// Each has a Rein of its own, and mostly waits.
describe.concurrent(`a short soak (REIN_TEST_SEED=${seed})`, () => {
  test('loses nothing, doubles no agent and leaves nothing behind', { timeout: limitMs }, async () => {
    const { counts, failures, said } = await soak('--minutes', '0.3', '--agents', '3', '--real', '1')
    expect({ failures, said }).toEqual({ failures: [], said })
    expect(counts['launches']).toBeGreaterThan(4)
    expect(counts['really got by a model']).toBe(counts['accepted'])
  })

  test.each(['double', 'leak'])('finds out what is wrong on purpose: %s', { timeout: limitMs }, async (control) => {
    const { failures, said } = await soak('--minutes', '0.05', '--agents', '1', '--real', '0', '--control', control)
    expect({ failures, said }).toEqual({ failures: [], said })
  })
})

describe('an agent is doubled', () => {
  const start = async (script: string) => {
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    return [child.pid ?? 0, Number(said)].map(asCli)
  }
  const asCli = (pid: number) => ({
    pid,
    startTime: processStartTime(pid) ?? '',
    command: 'claude',
    agent: 'agt_1',
    isCli: true,
  })
  const parentAndChild = 'sleep 600 & echo $!; trap "kill $!" TERM EXIT; wait'

  test('by a second process, not by a child of its own', async () => {
    const [parent, child] = await start(parentAndChild)
    const [other] = await start(parentAndChild)
    if (parent === undefined || child === undefined || other === undefined) throw new Error('Nothing was started.')
    expect(doublesAmong([parent, child])).toEqual([])
    expect(doublesAmong([parent, child, other])).toEqual([[parent, other]])
    expect(doublesAmong([parent, { ...other, agent: 'agt_2' }])).toEqual([])
    expect(doublesAmong([parent, { ...other, isCli: false }])).toEqual([])
  })

  test('not by a process that has ended meanwhile', async () => {
    const [parent] = await start(parentAndChild)
    if (parent === undefined) throw new Error('Nothing was started.')
    expect(doublesAmong([parent, { ...parent, pid: 1, startTime: 'another' }])).toEqual([])
  })
})
