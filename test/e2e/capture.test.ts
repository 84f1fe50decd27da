import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HistoryView } from '../../src/contract/routes/memory.ts'
import { cliNamed } from '../support/clis.ts'
import { startRein, type TestRein } from './harness.ts'
import { remembered } from './memory-talk.ts'

/** Runs as long as the test's directory is there. */
const endless = 'while [ -e gate ]; do sleep 0.1; done'
const call = (tool: string, input: object): string => `CALL:${tool}${JSON.stringify(input)}`

/** How a model has a command go on while it does something else; null where it cannot. */
const background: Record<string, string | null> = {
  claude: call('Bash', { command: endless, run_in_background: true }),
  codex: call('exec_command', { cmd: endless, yield_time_ms: 250 }),
  copilot: call('bash', { command: endless, description: 'wait', mode: 'async', shellId: 'later' }),
  gemini: call('run_shell_command', { command: endless, description: 'wait', is_background: true }),
  opencode: null,
}

const historyOf = async ({ rein }: TestRein): Promise<HistoryView[]> =>
  (JSON.parse((await rein('memory', 'history', '--json')).stdout) as HistoryView[]).toReversed()

const expected = (command: string, exit: number | null, outcome = exit === 0 ? 'ok' : 'failed') => ({
  command,
  exit,
  outcome,
})

test.each(['claude', 'codex', 'copilot', 'gemini', 'opencode'])(
  '%s: each command is on record once, also if the daemon is killed meanwhile',
  async (name) => {
    const rein = await startRein({ cli: cliNamed(name), scenario: '' })
    const { sim, client, cwd } = rein
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd })
    git('init', '-q', '-b', 'trunk')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    execFileSync('mkfifo', ['gate'], { cwd })
    const later = background[name] ?? null
    const steps = [
      'RUN:echo fine',
      "RUN:sh -c 'echo broken; exit 3'",
      ...(later === null ? [] : [later]),
      'RUN:read line < gate',
      'RUN:echo away',
      'WAIT:back',
      'RUN:echo back',
      'SAY:done',
    ]
    await rein.up(steps.join(' ;; '))
    const gate = await open(join(cwd, 'gate'), 'w')
    await rein.killDaemon()
    await gate.write('go\n')
    await gate.close()
    await sim.reached('back')
    await client.status()
    sim.release('back')
    const ran = [
      expected('echo fine', 0),
      expected("sh -c 'echo broken; exit 3'", 3),
      ...(later === null ? [] : [expected(endless, null, 'background')]),
      expected('read line < gate', 0),
      expected('echo away', 0),
      expected('echo back', 0),
    ]
    await remembered(rein, ran.length)
    const [agent] = await client.ps({})
    await client.down({ target: 'worker', cwd })
    const everywhere = { cwd, branch: 'trunk', author: name, agent: 'worker', session: agent?.conversation }
    expect(await historyOf(rein)).toMatchObject(ran.map((one) => ({ ...one, ...everywhere })))
  },
)

test.each(['stream', 'tmux'] as const)(
  'codex: how long a command took, also one that is over at once (%s)',
  async (host) => {
    const rein = await startRein({ cli: cliNamed('codex'), scenario: '' })
    await rein.up('RUN:sleep 0.05 ;; RUN:sleep 0.4 ;; SAY:done', {}, { host })
    await remembered(rein, 2)
    const [short = 0, long = 0] = (await historyOf(rein)).map(({ durationMs }) => durationMs ?? 0)
    expect(short).toBeGreaterThanOrEqual(50)
    // Some of it is counted by Codex, some by Rein: what lies between the two clocks is lost.
    expect(long).toBeGreaterThanOrEqual(350)
  },
)

test("a sub-agent's command is on record once, as one of a conversation of its own", async () => {
  const rein = await startRein({ scenario: '' })
  const task = { description: 'help', prompt: 'RUN:echo below ;; SAY:below', subagent_type: 'general-purpose' }
  await rein.up(`RUN:echo first ;; ${call('Task', task)} ;; WAIT:back ;; RUN:echo last ;; SAY:done`)
  await rein.sim.reached('back')
  await rein.sim.next(({ reply }) => reply === 'SAY:below')
  await rein.killDaemon()
  await rein.client.status()
  rein.sim.release('back')
  await remembered(rein, 3)
  await rein.client.down({ target: 'worker', cwd: rein.cwd })
  const [first, below, last, more] = await historyOf(rein)
  expect([first, below, last]).toMatchObject([
    expected('echo first', 0),
    expected('echo below', 0),
    expected('echo last', 0),
  ])
  expect(more).toBeUndefined()
  expect(last?.session).toBe(first?.session)
  expect(below?.session).toMatch(new RegExp(`^${first?.session}/.`))
})
