import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LoopView } from '../../src/contract/routes/loops.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { cliNamed } from '../support/clis.ts'
import { startRein, type TestOptions, type TestRein } from './harness.ts'

const limits = { REIN_LOOPS_ENABLED: 'true', REIN_LOOPS_NOTE: '2', REIN_LOOPS_ASK: '3', REIN_LOOPS_STOP: '4' }
const hint = 'Rein (a hint, not an instruction)'

const start = (options: TestOptions = {}): Promise<TestRein> => startRein({ scenario: '', config: limits, ...options })

const again = (step: string, times: number): string => Array.from({ length: times }, () => step).join(' ;; ')

const paused = ({ record }: TestRein): Promise<AnyRecord> =>
  record('agents', (one): one is AnyRecord => one.type === 'agent.state' && one.body.state === 'idle')

const asking = ({ record }: TestRein): Promise<AnyRecord> =>
  record('agents', (one): one is AnyRecord => one.type === 'agent.state' && one.body.question !== null)

const stopped = ({ record }: TestRein): Promise<AnyRecord> =>
  record('loops', (one): one is AnyRecord => one.type === 'loop.stopped')

/** As somebody sees it who follows what the agent does. */
const followed = async ({ client, cwd }: TestRein): Promise<string[]> => {
  const types: string[] = []
  for await (const { type } of client.logs({ target: 'worker', cwd, lines: 1000, follow: true })) {
    if (type.startsWith('loop.')) types.push(type)
    if (type === 'loop.stopped') return types
  }
  return types
}

/** What was done about it, oldest first. */
const done = async ({ client, cwd }: TestRein): Promise<string[]> =>
  (await client.loops({ cwd })).map(({ kind, count, action }: LoopView) => `${kind} ${count} ${action}`).toReversed()

/** What the model was last asked with. */
const heard = ({ sim }: TestRein): string => sim.requests.findLast(({ isMain }) => isMain)?.text ?? ''

const failing = 'echo "3 tests failed"; exit 1\n'

describe('Claude Code', () => {
  test('a failing command is noted, asked about and stopped; the agent is paused, and goes on when it is let', async () => {
    const rein = await start()
    writeFileSync(join(rein.cwd, 'check.sh'), failing)
    await rein.up(`RUN:sh check.sh ;; RUN:cat check.sh ;; ${again('RUN:sh check.sh', 5)} ;; SAY:done`)
    await asking(rein)
    expect(heard(rein).split(hint)).toHaveLength(2)
    expect(heard(rein)).toContain('`sh check.sh` failed 2 times in the same way (`3 tests failed`)')
    const asked = (await rein.rein('ps')).stdout
    expect(asked).toContain(
      'worker asks: Bash: sh check.sh\n  Rein: it seems to go in circles. `sh check.sh` failed 3 times',
    )
    expect((await rein.rein('answer', 'worker', 'allow')).code).toBe(0)
    await stopped(rein)
    await paused(rein)
    expect(await done(rein)).toEqual(['failing 2 noted', 'failing 3 asked', 'failing 4 stopped'])
    const shown = (await rein.rein('ps')).stdout
    expect(shown).toContain('paused')
    expect(shown).toContain('worker was stopped: It went in circles. `sh check.sh` failed 4 times')
    expect((await rein.rein('logs', 'worker')).stdout).toMatch(
      /↻ was told: .*\n(.*\n)*.*↻ a person was asked: .*\n(.*\n)*.*↻ was stopped: /,
    )
    expect((await rein.rein('session', 'show', 'worker', '1')).stdout).toContain('↻ was stopped: `sh check.sh`')
    await rein.rein('resume', 'worker')
    const { text } = await rein.sim.next(({ text: received }) => received.includes('Go on, another way.'))
    expect(text).toContain('It was because of this: It went in circles.')
  })

  test('nobody sits in front of a headless agent that asks nobody: after a set time the answer is no, and it is told so', async () => {
    const rein = await start({ config: { ...limits, REIN_LOOPS_STOP: '0', REIN_LOOPS_ASK_WAIT_S: '1' } })
    writeFileSync(join(rein.cwd, 'check.sh'), failing)
    await rein.up(`${again('RUN:sh check.sh', 3)} ;; SAY:done`)
    const { body } = await rein.record(
      'agents',
      (one): one is LogRecord<'agent.answered'> => one.type === 'agent.answered',
    )
    expect(body).toMatchObject({ by: 'rule', why: 'Nobody answered within 1 s (loops.ask_wait_s).' })
    const { text } = await rein.sim.next(({ isMain, text: received }) => isMain && received.includes('Nobody answered'))
    expect(text).toContain('Not run: you go in circles, and a person was asked. Nobody answered within 1 s')
  })

  test('edits that take each other back are stopped', async () => {
    const rein = await start({ config: { ...limits, REIN_LOOPS_ASK: '0' } })
    const file_path = join(rein.cwd, 'style.txt')
    writeFileSync(file_path, 'tabs\n')
    const flip = (old_string: string, new_string: string): string =>
      `CALL:Edit${JSON.stringify({ file_path, old_string, new_string })}`
    const flips = again(`${flip('tabs', 'spaces')} ;; ${flip('spaces', 'tabs')}`, 4)
    await rein.up(`CALL:Read${JSON.stringify({ file_path })} ;; ${flips} ;; SAY:done`)
    await stopped(rein)
    await paused(rein)
    expect(heard(rein)).toContain('has been updated successfully')
    expect(heard(rein)).toContain('changes take each other back')
    expect((await done(rein)).map((one) => one.replace(/ \d+/, ''))).toEqual(['undo noted', 'undo stopped'])
  })

  test('work that goes on is left alone: looking, waiting, failing otherwise, changing something in between', async () => {
    const rein = await start({ config: { ...limits, REIN_LOOPS_ASK: '2' } })
    writeFileSync(join(rein.cwd, 'check.sh'), 'cat failures.txt; exit 1\n')
    const round = (n: number): string[] => [
      `RUN:echo "test ${n} failed" > failures.txt`,
      'RUN:sh check.sh',
      'RUN:ls -A',
    ]
    const waiting = again('RUN:sleep 0.01; echo not yet', 4)
    const polling = [1, 2, 3].map((n) => `RUN:echo ${n} of 3 # ready?`)
    await rein.up([...[1, 2, 3].flatMap(round), waiting, ...polling, 'SAY:done'].join(' ;; '))
    const { text } = await rein.sim.next(({ reply }) => reply === 'SAY:done')
    expect(text).not.toContain(hint)
    expect(await done(rein)).toEqual([])
  })

  test('with --pause-on each edit is a question, though every tool is allowed and a policy approves; nothing else is', async () => {
    const rein = await start()
    const write = `CALL:Write${JSON.stringify({ file_path: join(rein.cwd, 'new.txt'), content: 'x' })}`
    await rein.up(`RUN:touch free.txt ;; ${write} ;; SAY:done`, {
      pauseOn: ['edit'],
      policy: { otherwise: 'approve', tools: {} },
    })
    await asking(rein)
    expect([existsSync(join(rein.cwd, 'free.txt')), existsSync(join(rein.cwd, 'new.txt'))]).toEqual([true, false])
    await rein.rein('answer', 'worker', 'allow')
    await rein.sim.next(({ reply }) => reply === 'SAY:done')
    expect(readFileSync(join(rein.cwd, 'new.txt'), 'utf8')).toBe('x')
  })

  test('what one sub-agent asks stays a question while another works, though a policy approves', async () => {
    const rein = await start()
    const helper = (prompt: string): string =>
      `CALL:Agent${JSON.stringify({ description: 'help', prompt, subagent_type: 'general-purpose' })}`
    const read = `CALL:Read${JSON.stringify({ file_path: join(rein.cwd, 'read.txt') })}`
    writeFileSync(join(rein.cwd, 'read.txt'), 'x\n')
    const calls = [helper('RUN:touch sub.txt ;; SAY:x'), helper(`WAIT:asked ;; ${read} ;; SAY:was read`)]
    await rein.up(`PAR:${calls.join(' && ')} ;; SAY:done`, {
      pauseOn: ['bash'],
      policy: { otherwise: 'approve', tools: {} },
    })
    await asking(rein)
    rein.sim.release('asked')
    await rein.sim.next(({ reply }) => reply === 'SAY:was read')
    expect((await rein.rein('ps')).stdout).toContain('a person wants to be asked about each command')
    expect(existsSync(join(rein.cwd, 'sub.txt'))).toBe(false)
    await rein.rein('answer', 'worker', 'allow')
    await rein.sim.next(({ reply }) => reply === 'SAY:x')
    expect(existsSync(join(rein.cwd, 'sub.txt'))).toBe(true)
  })
})

test.each(['claude', 'copilot', 'gemini'])('in the terminal of %s each command is a question, too', async (name) => {
  const rein = await start({ cli: cliNamed(name) })
  const policy = { otherwise: 'approve' as const, tools: {} }
  await rein.up('RUN:touch asked.txt ;; SAY:done', { pauseOn: ['bash'], policy }, { host: 'tmux' })
  await asking(rein)
  expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(false)
  expect((await rein.rein('ps')).stdout).toContain('a person wants to be asked about each command')
  expect((await rein.rein('answer', 'worker', 'allow')).code).toBe(0)
  await rein.sim.next(({ reply }) => reply === 'SAY:done')
  expect(existsSync(join(rein.cwd, 'asked.txt'))).toBe(true)
})

describe('Codex, which cannot ask', () => {
  test('the same call again and again is noted, not run, and stopped', async () => {
    const rein = await start({ cli: cliNamed('codex') })
    writeFileSync(join(rein.cwd, 'check.sh'), failing)
    await rein.up(`${again('RUN:sh check.sh', 6)} ;; SAY:done`)
    expect(await followed(rein)).toEqual(['loop.noted', 'loop.asked', 'loop.stopped'])
    await paused(rein)
    expect(await done(rein)).toEqual(['failing 2 noted', 'failing 3 denied', 'failing 4 stopped'])
    expect(heard(rein)).toContain(hint)
    expect(heard(rein)).toContain('Not run: you go in circles.')
  })

  test('--pause-on is refused, with the reason', async () => {
    const rein = await start({ cli: cliNamed('codex') })
    const { code, stderr } = await rein.rein('up', 'worker', '--driver', 'codex', '--pause-on', 'bash')
    expect(code).toBe(2)
    expect(stderr).toContain("Codex ignores a hook's request to ask and runs the tool")
  })
})
