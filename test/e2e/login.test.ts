import { expect, test } from 'vitest'
import { envOf } from '../support/clis.ts'
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
