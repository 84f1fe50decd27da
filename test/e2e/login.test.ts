import { expect, test } from 'vitest'
import { isLoginQuestion } from '../../src/contract/login-question.ts'
import type { AnyRecord } from '../../src/contract/record.ts'
import { cliNamed, envOf } from '../support/clis.ts'
import { startRein } from './harness.ts'
import { inState } from './terminal.ts'

test('a headless Claude Code without any key is not logged in, in ps and in doctor, and its model is asked nothing', async () => {
  const rein = await startRein({ scenario: '' })
  const { ANTHROPIC_API_KEY: _, ...env } = envOf(rein.cli, rein.home, rein.sim.url)
  await rein.up('Say hello.', {}, { host: 'stream', env })
  await inState(rein, 'awaiting_answer')
  const { code, stdout } = await rein.rein('ps')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^worker .* not logged in /m)
  expect(stdout).toContain('worker is not logged in')
  expect(stdout).toContain('claude auth login')
  const doctor = await rein.rein('doctor', '--quick')
  expect(doctor.code).toBe(1)
  expect(doctor.stdout).toMatch(/✗ claude: Claude Code .*no login found[^]*claude auth login/)
  const answered = await rein.rein('answer', 'worker', 'yes')
  expect(answered.stderr).toContain('rein restart worker')
  expect(rein.sim.requests).toEqual([])
})

test.each([
  ['without any key', false, 'Not logged in', /rein restart \S+\/worker$/m],
  [
    'with a key that the model refuses',
    true,
    'Invalid API key',
    /rein down \S+\/worker\)\. Then, .*: rein up \S+\/worker --continue$/m,
  ],
])('Claude Code in a terminal %s is not logged in, and ps says so', async (_, hasKey, words, hint) => {
  const rein = await startRein({ scenario: 'default ERROR:401:invalid x-api-key' })
  const { ANTHROPIC_API_KEY: key = '', ...env } = envOf(rein.cli, rein.home, rein.sim.url)
  const given = hasKey ? { ...env, ANTHROPIC_API_KEY: key } : env
  await rein.up('Say hello.', {}, { host: 'tmux', env: { ...given, CLAUDE_CODE_MAX_RETRIES: '0' } })
  await rein.record(
    'agents',
    (one): one is AnyRecord => one.type === 'agent.state' && isLoginQuestion(one.body.question),
  )
  // The end of the turn, and the input box, are there by the time that its transcript is written.
  await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
  const { stdout } = await rein.rein('ps')
  expect(stdout).toMatch(/^worker .* not logged in /m)
  expect(stdout).toContain(`worker is not logged in: ${words}`)
  expect(stdout).toContain('claude auth login')
  expect(stdout).toMatch(hint)
  expect(rein.sim.requests.length > 0).toBe(hasKey)
})

test('opencode in a terminal with a key that its provider refuses is not logged in, in ps, and stays so', async () => {
  const rein = await startRein({ cli: cliNamed('opencode'), scenario: 'default ERROR:401:invalid x-api-key' })
  await rein.up('Say hello.', {}, { host: 'tmux' })
  await rein.record(
    'agents',
    (one): one is AnyRecord => one.type === 'agent.state' && isLoginQuestion(one.body.question),
  )
  await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
  const { stdout } = await rein.rein('ps')
  expect(stdout).toMatch(/^worker .* not logged in /m)
  expect(stdout).toContain('opencode auth login')
})
