import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TaskView } from '../../src/contract/routes/tasks.ts'
import { cliNamed, envOf, programOf, settle } from '../support/clis.ts'
import { killProcess } from '../support/kill.ts'
import { startRein, type TestRein } from './harness.ts'

/** A lead that reads and acknowledges what it is told of, and an agent that is blocked from the beginning. */
const work = [
  String.raw`on id="(dir_[0-9a-f-]+)"[^]*?Events on the bus that wait for you do RUN:rein bus read && rein bus ack --all # $1`,
  String.raw`on You are parser-2, an agent do CALL:mcp__rein__tell_lead{"kind":"blocker","text":"Which calendar?"}`,
].join('\n')

const config = {
  REIN_NOTIFY_STARTUP_GRACE_S: '0',
  REIN_NOTIFY_CHECK_S: '1',
  REIN_NOTIFY_COOLDOWN_S: '1',
  REIN_AGENTS_RESTART: 'false',
}

/** A task with one agent, whose prompt is a script. */
const startAlone = async (prompt: string, scenario: string, more: Record<string, string> = {}): Promise<TestRein> => {
  const rein = await startRein({ scenario, config: { ...config, ...more } })
  const { client, cwd, home, sim } = rein
  const env = envOf(cliNamed('claude'), home, sim.url)
  await client.newTask({ cwd, name: 'parser', spec: 'Dates are parsed.', prompt })
  await client.startTask({
    cwd,
    name: 'parser',
    launch: { host: 'stream', drivers: ['claude'], autoApprove: true, env },
  })
  return rein
}

const modelGets = ({ sim }: TestRein, words: string | RegExp) =>
  sim.next(({ isMain, text }) => isMain && text.search(words) >= 0)

test('a paused task lets the turn end and begins none; then it goes on', async () => {
  const rein = await startAlone('RUN:true ;; WAIT:pause ;; RUN:echo tidy ;; SAY:left', '')
  const { client, sim, cwd } = rein
  await sim.reached('pause')
  expect((await client.pauseTask({ cwd, name: 'parser' })).problems).toEqual([])
  sim.release('pause')
  const told = await modelGets(rein, 'The task parser is paused.')
  expect(told.text).toContain('end your turn')
  for await (const { agents } of client.watch({})) if (agents[0]?.state === 'paused') break
  expect((await client.unpauseTask({ cwd, name: 'parser' })).state).toBe('running')
  const on = await modelGets(rein, 'The task parser is not paused any more. Go on with it.')
  expect(on.text).toMatch(/^left$/m)
})

test('an agent whose context is full goes on in a fresh conversation of the same task', async () => {
  const handsOver = String.raw`on Write a handover now[^\n]*\n\| (\S+) do RUN:echo Next: leap years. > $1`
  const full = { REIN_CONTEXT_HANDOVER_AT: '0.001', REIN_CONTEXT_ROTATE_AT: '0.002', REIN_CONTEXT_WARN_AT: '0' }
  const rein = await startAlone('SAY:hello', handsOver, full)
  const fresh = await modelGets(rein, /This is the handover that you wrote[^]*leap years/)
  const dir = join(rein.cwd, '.rein/tasks/parser')
  expect(fresh.text).toContain(`You are parser-1, an agent of the task parser. The spec is ${join(dir, 'SPEC.md')}`)
  expect(readFileSync(join(dir, 'HANDOVER.md'), 'utf8')).toMatch(/^## \S+Z parser-1\n\nNext: leap years\.\n$/)
  expect((await rein.client.task({ cwd: rein.cwd, name: 'parser' })).handoverAt).toEqual(expect.any(Number))
})

/** Claude Code leads and works, Codex works; the lead says something and stops. */
const startTeam = async (): Promise<{ rein: TestRein; task: TaskView }> => {
  const [claude, codex] = [cliNamed('claude'), cliNamed('codex')]
  const rein = await startRein({ scenario: work, config: { ...config, REIN_CODEX_PATH: programOf(codex) } })
  const { home, sim, cwd } = rein
  await settle(codex, home, sim.url, cwd)
  const env = { ...envOf(claude, home, sim.url), ...envOf(codex, home, sim.url) }
  const launch = { host: 'stream' as const, drivers: ['claude', 'codex'], autoApprove: true, env }
  const texts = { spec: 'Dates are parsed.', prompt: 'SAY:split' }
  const task = await rein.client.orchestrate({ cwd, name: 'parser', agents: 2, launch, ...texts })
  return { rein, task }
}

test('a team of two vendors: who is who reaches the models, a blocker wakes the idle lead, and a dead agent is reported to it', async () => {
  const { rein, task } = await startTeam()
  const { sim, client, cwd } = rein
  expect([task.problems, task.members.map(({ handle, driver }) => `${handle} ${driver}`)]).toEqual([
    [],
    ['parser-lead claude', 'parser-1 claude', 'parser-2 codex'],
  ])
  const asked = (wire: string, words: string) =>
    sim.next(({ isMain, wire: by, text }) => isMain && by === wire && text.includes(words))
  const lead = await asked('anthropic', 'You are parser-lead, the lead of the task parser.')
  expect(lead.text).toContain('Your team: parser-1 (claude), parser-2 (codex).')
  expect(lead.text).toContain('Dates are parsed.')
  const member = await asked('responses', 'You are parser-2, an agent of the task parser.')
  expect(member.text).toContain('Your team: parser-lead (lead, claude), parser-1 (claude).')

  const read = await asked('anthropic', 'Which calendar?')
  expect(read.text).toMatch(/high blocker from agent parser-2, .* for parser-lead\n\| Which calendar\?/)
  // Its turn was over: it was woken for this.
  expect(read.text).toMatch(/^split\nRein: there is something in your inbox/m)

  const { pid } = (await client.ps({})).find(({ handle }) => handle === 'parser-1') ?? {}
  killProcess(pid)
  const told = await asked('anthropic', 'parser-1 (claude) of the task parser is gone')
  expect(told.text).toContain('You are parser-lead')
  const shown = await rein.rein('task', 'show', 'parser')
  expect(shown.stdout).toMatch(/^parser-1 +member +claude +crashed/m)
  const { posts } = await client.posts({ cwd, room: 'parser' })
  expect(posts.map(({ from, text }) => [from, text.slice(0, 17)])).toContainEqual(['rein', 'parser-1 (claude)'])
  const done = await client.finishTask({ cwd, name: 'parser', force: true })
  expect([done.state, done.problems]).toEqual(['done', []])
  expect(readFileSync(join(cwd, '.rein/tasks/parser/SPEC.md'), 'utf8')).toBe('Dates are parsed.\n')
})
