import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunSummary } from '../../src/contract/outputs/run.ts'
import { cliNamed, envOf } from '../support/clis.ts'
import { killProcess } from '../support/kill.ts'
import { type Running, startRun as start } from '../support/run-harness.ts'
import { startRein, type TestRein } from './harness.ts'

const startRun = ({ cli, home, sim, cwd, daemonEnv }: TestRein, args: string[], input?: string): Running =>
  start({ cwd, env: { ...daemonEnv, ...envOf(cli, home, sim.url) } }, args, input)

const linesOf = (run: Running) =>
  run
    .stdout()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { kind: string; text?: string })
const summaryOf = (run: Running) => linesOf(run).at(-1) as unknown as RunSummary

const decisions = async ({ client }: TestRein): Promise<string[]> => {
  const found: string[] = []
  for await (const { type, body } of client.tail({ topic: 'runs', after: 0 }))
    if (type === 'run.decided') found.push(`${body.action}: ${body.reason}`)
  return found
}

describe.each(['claude', 'codex'])('%s', (name) => {
  test('in a pipe, then on in its conversation', async () => {
    const rein = await startRein({ cli: cliNamed(name) })
    const first = startRun(rein, ['--driver', name], 'THINK:hm ;; RUN:echo from-the-tool ;; SLOW:1:one two three\n')
    expect(await first.ended).toBe(0)
    expect(first.stdout()).toBe('one two three\n')
    expect(first.stderr()).toContain('→ Bash echo from-the-tool')
    expect(await rein.client.ps({})).toEqual([])

    const second = startRun(rein, ['-c', '--json', 'SLOW:1:four five'])
    expect(await second.ended).toBe(0)
    const pieces = linesOf(second).filter(({ kind }) => kind === 'text')
    expect(pieces.map(({ text }) => text)).toEqual(['four', ' five'])
    expect(summaryOf(second)).toMatchObject({ reason: 'done', turns: 1, agent: 'run', driver: name, text: 'four five' })
    const request = await rein.sim.next(({ newText }) => newText.includes('SLOW:1:four five'))
    expect(request.text).toContain('from-the-tool')

    const third = startRun(rein, ['-r', summaryOf(second).conversation ?? '', 'SAY:six'])
    expect(await third.ended).toBe(0)
    expect((await rein.sim.next(({ newText }) => newText.includes('SAY:six'))).text).toContain('four five')
  })
})

test('it goes on until its sub-agents in the background have ended, and says what came of them', async () => {
  const rein = await startRein({ scenario: 'on <status>completed</status> do SAY:it was made' })
  const call = { description: 'help', subagent_type: 'general-purpose', run_in_background: true }
  const prompt = 'WAIT:left ;; RUN:touch made ;; SAY:made'
  const script = `CALL:Agent${JSON.stringify({ ...call, prompt })} ;; SAY:launched`
  const run = startRun(rein, ['--policy', 'approve', script])
  await rein.sim.next(({ reply }) => reply === 'SAY:launched')
  rein.sim.release('left')
  expect(await run.ended).toBe(0)
  expect(run.stdout()).toBe('launched\nit was made\n')
  expect(existsSync(join(rein.cwd, 'made'))).toBe(true)
})

test('until a command succeeds: what it printed is data for the next turn', async () => {
  const rein = await startRein()
  const check = 'test -e made || { echo nothing-there; exit 3; }'
  const script = 'SAY:not yet ;; RUN:touch made ;; SAY:made'
  const run = startRun(rein, ['--until', check, '--policy', 'approve', script])
  expect(await run.ended).toBe(0)
  expect(run.stdout()).toBe('not yet\nmade\n')
  expect(run.stderr()).toContain(`… checking: ${check}`)
  const asked = await rein.sim.next(({ newText }) => newText.includes('exit code 3'))
  expect(asked.newText).toMatch(/<check-output (\S+)>\nnothing-there\n\n<\/check-output \1>/)
  expect(await decisions(rein)).toEqual(['prompt: the first prompt', `prompt: ${check} ended with 3`, 'end: done'])

  const limited = startRun(rein, ['--until', 'false', '--max-turns', '2', 'SAY:a ;; SAY:b'])
  expect(await limited.ended).toBe(10)
})

describe.each(['claude', 'codex', 'gemini', 'copilot', 'opencode'])('%s may reply so often', (name) => {
  test('a limit counts the replies of its model, not its prompts, and needs no loop', async () => {
    const rein = await startRein({ cli: cliNamed(name) })
    const given = ['--driver', name, '--policy', 'approve', '--json']
    // Only Claude Code keeps to it by itself: the others may have asked once more when they are interrupted.
    const tools = 'RUN:echo a > a ;; RUN:echo b > b ;; WAIT:never ;; RUN:echo c > c ;; SAY:all three'
    const limited = startRun(rein, [...given, '--max-turns', '2', tools])
    expect(await limited.ended).toBe(10)
    expect(summaryOf(limited)).toMatchObject({ reason: 'turn_limit', turns: 1 })
    expect(['a', 'b', 'c'].map((file) => existsSync(join(rein.cwd, file)))).toEqual([true, true, false])

    const enough = startRun(rein, [...given, '--max-turns', '2', 'RUN:echo d > d ;; SAY:done'])
    expect(await enough.ended).toBe(0)
    expect(summaryOf(enough)).toMatchObject({ reason: 'done', text: 'done' })
  })
})

test('the setting limits every run; the limit is of the whole run, and the model is not asked beyond it', async () => {
  const rein = await startRein()
  const asked = (): number => rein.sim.requests.filter(({ text }) => text.includes('echo one')).length
  const env = { ...rein.daemonEnv, ...envOf(rein.cli, rein.home, rein.sim.url), REIN_RUN_MAX_TURNS: '1' }
  const script = 'RUN:echo one > one ;; RUN:echo two > two'
  const run = start({ cwd: rein.cwd, env }, ['--policy', 'approve', script])
  expect(await run.ended).toBe(10)
  expect([asked(), existsSync(join(rein.cwd, 'one')), existsSync(join(rein.cwd, 'two'))]).toEqual([1, true, false])

  const looped = startRun(rein, ['--loop', '--max-turns', '3', '--json', 'SAY:a ;; SAY:b ;; SAY:c ;; SAY:d'])
  expect(await looped.ended).toBe(10)
  expect(summaryOf(looped)).toMatchObject({ reason: 'turn_limit', turns: 3, text: 'c' })
})

test('turn after turn until it is done, gets nowhere, or has cost enough', async () => {
  const rein = await startRein({ scenario: 'default SAY:the same' })
  const done = startRun(rein, ['--loop', 'SAY:more ;; SAY:REIN: DONE'])
  expect(await done.ended).toBe(0)
  expect(done.stdout()).toBe('more\nREIN: DONE\n')
  const stuck = startRun(rein, ['--loop', '--json', 'Do it.'])
  expect(await stuck.ended).toBe(12)
  expect(summaryOf(stuck)).toMatchObject({ reason: 'no_progress', turns: 3 })
  const dear = startRun(rein, ['--loop', '--budget', '0.05', '--json', 'Do it.'])
  expect(await dear.ended).toBe(11)
  expect(summaryOf(dear)).toMatchObject({ reason: 'budget', turns: 1, costUsd: expect.any(Number) as number })
})

test('what it asks is answered from outside, and so is a pause; it is told things like any agent', async () => {
  const rein = await startRein({ scenario: 'default SAY:ok' })
  const script = 'RUN:touch asked ;; WAIT:go ;; SAY:first ;; SAY:second ;; SAY:REIN: DONE'
  const run = startRun(rein, ['--loop', '--pause-on', 'turn', '--as', 'ada', script])
  await run.says(/Answer: rein answer \S+\/ada allow/)
  expect(existsSync(join(rein.cwd, 'asked'))).toBe(false)
  expect((await rein.rein('answer', 'ada', 'allow')).code).toBe(0)
  await rein.sim.reached('go')
  const told = await rein.tell('Use tabs.', { target: 'ada' })
  rein.sim.release('go')
  await rein.reached(told.id, 'seen')
  await run.says(/Paused: before each turn/)
  expect((await rein.rein('resume', 'ada')).code).toBe(0)
  expect(await run.ended).toBe(0)
  expect(existsSync(join(rein.cwd, 'asked'))).toBe(true)
})

describe.each(['claude', 'codex'])('%s, of which somebody else disposes', (name) => {
  test('whoever interrupts it ends the run; loop control does, too, and says why', async () => {
    const limits = { REIN_LOOPS_NOTE: '0', REIN_LOOPS_ASK: '0', REIN_LOOPS_STOP: '3' }
    const rein = await startRein({ cli: cliNamed(name), config: { REIN_LOOPS_ENABLED: 'true', ...limits } })
    const given = ['--driver', name, '--policy', 'approve', '--json']
    const interrupted = startRun(rein, [...given, '--loop', 'WAIT:a ;; SAY:a'])
    await rein.sim.reached('a')
    expect((await rein.rein('interrupt', 'run')).code).toBe(0)
    expect(await interrupted.ended).toBe(130)
    expect(summaryOf(interrupted)).toMatchObject({ reason: 'interrupted', turns: 1 })

    const stuck = startRun(rein, [...given, `${'RUN:false ;; '.repeat(6)}SAY:done`])
    expect(await stuck.ended).toBe(12)
    expect(summaryOf(stuck).detail).toMatch(/^It went in circles\. `false` failed 3 times/)
  })
})

test('it ends with whoever started it', async () => {
  const rein = await startRein()
  const interrupted = startRun(rein, ['WAIT:a ;; SAY:a'])
  await rein.sim.reached('a')
  interrupted.child.kill('SIGINT')
  expect(await interrupted.ended).toBe(130)
  expect(interrupted.stderr()).toContain('interrupted')

  const impatient = startRun(rein, ['WAIT:b ;; SAY:b'])
  await rein.sim.reached('b')
  impatient.child.kill('SIGTERM')
  expect(await impatient.ended).toBe(143)
  expect(await rein.client.ps({})).toEqual([])

  const killed = startRun(rein, ['--as', 'killed', 'WAIT:c ;; SAY:c'])
  await rein.sim.reached('c')
  killed.child.kill('SIGKILL')
  for await (const { agents } of rein.client.watch({})) if (agents.length === 0) break
})

test('another daemon takes over, and the run goes on', async () => {
  const rein = await startRein()
  const run = startRun(rein, ['WAIT:go ;; SAY:still there'])
  await rein.sim.reached('go')
  killProcess((await rein.client.status()).pid)
  await run.says(/something is missing/)
  rein.sim.release('go')
  expect(await run.ended).toBe(0)
  expect(run.stdout()).toBe('still there\n')
})

test('another directory, another model, and what tools were given and printed', async () => {
  const rein = await startRein()
  const cwd = join(rein.cwd, 'elsewhere')
  mkdirSync(cwd)
  const run = startRun(rein, ['--cwd', cwd, '--model', 'claude-haiku-4-5', '-v', 'RUN:pwd ;; SAY:done'])
  expect(await run.ended).toBe(0)
  expect(run.stderr()).toContain(cwd)
  const { body } = await rein.sim.next(({ newText }) => newText.includes('RUN:pwd'))
  expect(body).toMatchObject({ model: 'claude-haiku-4-5' })

  const terse = startRun(rein, ['--cwd', cwd, 'RUN:pwd ;; SAY:done'])
  expect(await terse.ended).toBe(0)
  expect(terse.stderr()).not.toContain(cwd)
})
