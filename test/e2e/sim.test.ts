import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startSim } from '../../src/sim/server.ts'
import { newestClaude } from './harness.ts'

test('a real Claude Code plays a script of the scripted model', async () => {
  const sim = await startSim()
  onTestFinished(() => sim.close())
  const home = await mkdtemp(join(tmpdir(), 'rein-sim-'))
  onTestFinished(() => rm(home, { recursive: true }))
  const script = 'RUN:echo one ;; PAR:RUN:echo two && RUN:echo three ;; SAY:all done'
  const running = promisify(execFile)(newestClaude, ['-p', script, '--dangerously-skip-permissions'], {
    cwd: home,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      ANTHROPIC_BASE_URL: sim.url,
      ANTHROPIC_API_KEY: 'sk-ant-dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      IS_SANDBOX: '1',
    },
  })
  running.child.stdin?.end()
  expect((await running).stdout.trim()).toBe('all done')

  const work = sim.requests.filter(({ kind }) => kind === 'scripted')
  expect(work.map(({ reply }) => reply)).toEqual(script.split(' ;; '))
  expect(work[1]?.newText).toBe('one')
  expect(work[2]?.newText.split('\n').toSorted()).toEqual(['three', 'two'])
  expect(await Promise.all(work.map(({ outcome }) => outcome))).toEqual(['answered', 'answered', 'answered'])
})
