import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { continueTexts } from '../../src/agents/state/lifecycle.ts'
import type { AgentView } from '../../src/contract/routes/agents.ts'
import type { HostKind } from '../../src/contract/agent.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { processStartTime } from '../../src/base/util/process.ts'
import { cliNamed, envOf } from '../support/clis.ts'
import { killProcess } from '../support/kill.ts'
import { shownIn, startRein, statesOf, type TestOptions, type TestRein } from './harness.ts'
import { idle } from './terminal.ts'

type Launched = LogRecord<'agent.launched'>
const quick = { REIN_AGENTS_RESTART_BACKOFF_S: '1' }

const agentOf = async ({ client }: TestRein): Promise<AgentView> => {
  const [agent] = await client.ps({ all: true })
  if (agent === undefined) throw new Error('There is no agent.')
  return agent
}

const kill = async (rein: TestRein): Promise<void> => killProcess((await agentOf(rein)).pid)

/** Resolves at the launch with this number. */
const launch = async ({ record }: TestRein, number: number): Promise<Launched> => {
  let count = 0
  return record('agents', (one): one is Launched => one.type === 'agent.launched' && ++count === number)
}

/** Resolves when the agent is in this state after it was in the others. */
const goesThrough = async ({ record }: TestRein, ...states: AgentView['state'][]): Promise<AnyRecord> => {
  let next = 0
  return record('agents', (one): one is AnyRecord => {
    if (one.type === 'agent.state' && one.body.state === states[next]) next += 1
    return next === states.length
  })
}

const startedIn = (cli: string, host: HostKind, prompt: string | null, options: TestOptions = {}) =>
  startRein({ ...options, cli: cliNamed(cli), config: { ...quick, ...options.config } }).then(async (rein) => {
    await rein.up(prompt, {}, { host })
    return rein
  })

// Codex looks for what is queued for it every ten seconds: another works meanwhile.
describe.each([
  ['tmux', ['claude', 'codex']],
  ['pty', ['claude', 'codex']],
  ['stream', ['claude']],
] as const)('killed in %s', (host, names) => {
  test.concurrent.for(names)(
    '%s comes back by itself with its conversation, and what was told meanwhile arrives',
    async (cli, { onTestFinished }) => {
      const rein = await startedIn(cli, host, 'SAY:the answer was forty-two', { onTestFinished })
      await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
      const { conversation } = await agentOf(rein)
      await kill(rein)
      await goesThrough(rein, 'crashed')
      const told = await rein.tell('What was the answer?')
      await launch(rein, 2)
      expect(statesOf(await rein.reached(told.id, 'acked')).at(-1)).toBe('acked')
      expect((await agentOf(rein)).conversation).toBe(conversation)
      const asked = await rein.sim.next((request) => shownIn(request, told.id) > 0)
      expect(asked.text).toContain('the answer was forty-two')
    },
  )
})

test('in the middle of a turn: it is told to go on, in the same conversation', async () => {
  const rein = await startedIn('claude', 'tmux', 'RUN:echo first-step ;; WAIT:never ;; SAY:unsaid')
  await rein.sim.reached('never')
  await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.entry')
  await kill(rein)
  const again = await rein.sim.next((request) => request.isMain && request.text.includes(continueTexts.crash))
  expect(again.text).toContain('RUN:echo first-step')
  expect(again.text.split('RUN:echo first-step').length - 1).toBe(1)
})

test('one that dies again and again is given up in a state that can be seen, and brought back by hand', async () => {
  const rein = await startedIn('claude', 'tmux', 'SAY:hello', { config: { REIN_AGENTS_RESTART_LIMIT: '2' } })
  await idle(rein)
  await kill(rein)
  await launch(rein, 2)
  await goesThrough(rein, 'crashed', 'idle')
  await kill(rein)
  await goesThrough(rein, 'crashed', 'looping')
  const shown = await rein.rein('ps')
  expect(shown.stdout).toMatch(/looping/)
  const env = envOf(rein.cli, rein.home, rein.sim.url)
  expect(await rein.client.resume({ cwd: rein.cwd, env })).toMatchObject([{ handle: 'worker', error: null }])
  const told = await rein.tell('Are you there?')
  expect(statesOf(await rein.reached(told.id, 'acked')).at(-1)).toBe('acked')
})

describe('without the daemon', () => {
  test('killed while it waits to restart an agent: the next one does, once', async () => {
    const rein = await startedIn('claude', 'tmux', 'SAY:hello', { config: { REIN_AGENTS_RESTART_BACKOFF_S: '2' } })
    await idle(rein)
    await kill(rein)
    await goesThrough(rein, 'crashed')
    await rein.killDaemon()
    await launch(rein, 2)
    await goesThrough(rein, 'crashed', 'idle')
    const told = await rein.tell('Still you?')
    await rein.reached(told.id, 'acked')
    const launches: AnyRecord[] = []
    for await (const one of rein.client.tail({ topic: 'agents', after: 0 }))
      if (one.type === 'agent.launched') launches.push(one)
    expect(launches).toHaveLength(2)
  })

  test('an agent that died meanwhile is started again', async () => {
    const rein = await startedIn('claude', 'stream', 'SAY:hello')
    await idle(rein)
    const { pid } = await agentOf(rein)
    await rein.killDaemon()
    killProcess(pid)
    const relaunched = await launch(rein, 2)
    expect(relaunched.body.process.pid).not.toBe(pid)
  })
})

test('what a dead agent left running is ended', async () => {
  const rein = await startRein({ config: quick })
  const started = join(rein.cwd, 'pid')
  await rein.up(`RUN:setsid sleep 600 & echo $! > ${started} ;; SAY:done`, {}, { host: 'tmux' })
  await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
  const orphan = Number(readFileSync(started, 'utf8'))
  expect(processStartTime(orphan)).not.toBeNull()
  await kill(rein)
  await launch(rein, 2)
  expect(processStartTime(orphan)).toBeNull()
})

describe('a paused agent', () => {
  test('ends its turn and begins none; what was told waits with the reason and comes afterwards', async () => {
    const rein = await startedIn('claude', 'tmux', 'WAIT:turn ;; SAY:turn over')
    await rein.sim.reached('turn')
    expect((await rein.rein('pause', 'worker')).stdout).toContain('Its turn may end')
    rein.sim.release('turn')
    await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
    expect((await agentOf(rein)).state).toBe('paused')
    const told = await rein.tell('Later, then.')
    await rein.until(told.id, ({ steps }) => steps.some(({ state, reason }) => state === 'held' && reason === 'paused'))
    await rein.rein('resume', 'worker')
    await rein.reached(told.id, 'acked')
  })

  test('that was interrupted is told to go on', async () => {
    const rein = await startedIn('claude', 'tmux', 'RUN:echo begun ;; WAIT:never ;; SAY:unsaid')
    await rein.sim.reached('never')
    await rein.rein('pause', 'worker', '--now')
    await rein.record('agents', (one): one is AnyRecord => one.type === 'agent.interrupted')
    await rein.rein('resume', 'worker')
    const asked = await rein.sim.next((request) => request.isMain && request.text.includes(continueTexts.pause))
    expect(asked.text).toContain('RUN:echo begun')
  })
})

test('restart: the same conversation; with --fresh another one', async () => {
  const rein = await startedIn('claude', 'tmux', 'SAY:hello')
  await idle(rein)
  const { conversation, pid } = await agentOf(rein)
  expect((await rein.rein('restart', 'worker')).code).toBe(0)
  const again = await agentOf(rein)
  expect([again.conversation, again.pid === pid]).toEqual([conversation, false])
  expect((await rein.rein('restart', 'worker', '--fresh')).code).toBe(0)
  expect((await agentOf(rein)).conversation).not.toBe(conversation)
})

test('a usage limit is waited out, and the agent goes on with what it was doing', async () => {
  const rein = await startRein()
  // Only an account that somebody logged in with has such limits.
  const { ANTHROPIC_API_KEY: _, ...env } = envOf(rein.cli, rein.home, rein.sim.url)
  const account = { ...env, CLAUDE_CODE_OAUTH_TOKEN: 'dummy-token' }
  await rein.up('RUN:echo begun ;; QUOTA:4 ;; SAY:all done', {}, { env: account })
  const limited = await rein.record(
    'agents',
    (one): one is LogRecord<'agent.state'> => one.type === 'agent.state' && one.body.state === 'limited',
  )
  expect(limited.body.until).toBeGreaterThan(limited.at)
  const told = await rein.tell('Meanwhile.')
  await rein.until(told.id, ({ steps }) => steps.some(({ state, reason }) => state === 'held' && reason === 'limited'))
  const again = await rein.sim.next((request) => request.isMain && request.text.includes(continueTexts.limit))
  expect(again.text).toContain('RUN:echo begun')
  await rein.reached(told.id, 'acked')
})
