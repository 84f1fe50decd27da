import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cliNamed } from '../support/clis.ts'
import { forgery, squat } from '../support/squatter.ts'
import { startRein } from './harness.ts'

const all = ['claude', 'codex', 'copilot', 'gemini', 'opencode']

test.each(all)('%s: another user on the port of a dead daemon gets nothing, and says nothing', async (name) => {
  const { sim, client, paths, up, killDaemon, onFinished } = await startRein({ cli: cliNamed(name), scenario: '' })
  // The first is one that every CLI calls without asking: some ask the daemon, which is dead.
  const calls = ['WAIT:squatted ;; CALL:mcp__rein__read_inbox{}', 'WAIT:back ;; CALL:mcp__rein__list_agents{}']
  await up(['RUN:echo begin', ...calls, 'SAY:done'].join(' ;; '))
  await sim.reached('squatted')
  const { port } = JSON.parse(readFileSync(paths.endpoint, 'utf8')) as { port: number }
  await killDaemon()
  const { taken, child } = await squat(port)
  onFinished(() => void child.kill())
  sim.release('squatted')
  await sim.reached('back')
  // The squatter stays: the next daemon has another port, and the bridge does not care.
  await client.hello()
  sim.release('back')
  const { newText } = await sim.next((request) => request.reply.includes('SAY:done'))
  expect(newText).toContain('worker')
  expect(taken).toEqual([])
  expect(sim.requests.filter((request) => request.text.includes(forgery))).toEqual([])
})
