import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LogRecord } from '../../src/contract/record.ts'
import { after as callAfter } from '../../src/base/util/timer.ts'
import { killProcess } from '../support/kill.ts'
import { createBox, until } from './harness.ts'
import {
  idleUntilEnded,
  inState,
  killDaemon,
  killEach,
  launch,
  launches,
  namesOf,
  pidOf,
  program,
  quick,
  record,
  restartAtOnce,
  running,
  up,
} from './supervision-box.ts'

test('each of three agents that is killed comes back, and never twice', async () => {
  const box = createBox(quick)
  await box.daemon()
  expect(await killEach(box, namesOf(3), 1)).toBe(6)
})

test('several restarts at once, by hand and by itself, leave one process that is known', async () => {
  const box = createBox(quick)
  await box.daemon()
  await up(box, 'worker')
  for (let time = 0; time < 2; time += 1) {
    const { known, found } = await restartAtOnce(box)
    expect(found).toEqual([known])
  }
})

describe('a daemon that is killed', () => {
  test('twice: the agents live on and are taken over, none is started again', async () => {
    const box = createBox(quick)
    const { before, known, after } = await killDaemon(box, namesOf(2), 2)
    expect(known).toEqual(expect.arrayContaining(before.map((pid) => ({ pid, state: 'idle' }))))
    expect([after, await launches(box)]).toEqual([before, 2])
    await Promise.all(namesOf(2).map((handle) => box.client().down({ target: handle, cwd: box.cwd })))
    expect(running(box)).toEqual([])
  })

  test('right after it has answered: what was paused, unpaused or taken down is that for the next one', async () => {
    const box = createBox(quick)
    const agent = { target: 'worker', cwd: box.cwd }
    let daemon = await box.daemon()
    await up(box, 'worker')
    const thenKilled = async (ask: Promise<unknown>) => {
      await ask
      await daemon.kill()
      daemon = await box.daemon()
      const [view] = await box.client().ps({ all: true })
      return view
    }
    expect(await thenKilled(box.client().pause(agent))).toMatchObject({ state: 'paused', isPaused: true })
    expect(await thenKilled(box.client().unpause(agent))).toMatchObject({ state: 'idle', isPaused: false })
    expect(await thenKilled(box.client().down(agent))).toMatchObject({ state: 'stopped', pid: null, until: null })
  })

  test('while it starts an agent, whether that was written down or not: it runs once, and is known', async () => {
    const box = createBox(quick)
    const daemon = await box.daemon()
    const broken = up(box, 'worker').catch(() => null)
    await until(() => running(box).length > 0)
    await daemon.kill()
    await broken
    await box.daemon()
    await up(box, 'worker').catch(() => null)
    expect(running(box)).toEqual([await pidOf(box, 'worker')])
  })

  test('is stopped for longer than a restart waits: the agent comes back when it goes on', async () => {
    const box = createBox(quick)
    const daemon = await box.daemon()
    const { pid } = await up(box, 'worker')
    killProcess(pid)
    const { body, at } = await inState(box, 'crashed')
    daemon.child.kill('SIGSTOP')
    await new Promise<void>((resolve) => callAfter((body.until ?? at) + 500 - Date.now(), resolve))
    daemon.child.kill('SIGCONT')
    const again = await launch(box, 2)
    await inState(box, 'idle')
    expect(running(box)).toEqual([again.body.process.pid])
  })
})

test.each([
  ['ahead', 86_400_000],
  ['back', -86_400_000],
])('a clock that jumps %s a day keeps no agent down', async (_, offset) => {
  const box = createBox({ REIN_AGENTS_RESTART_BACKOFF_S: '3600', REIN_AGENTS_RESTART_BACKOFF_MAX_S: '3600' })
  const clock = join(box.root, 'clock')
  writeFileSync(clock, '0')
  const preload = join(import.meta.dirname, 'fixtures/clock.cjs')
  await box.daemon({ env: { NODE_OPTIONS: `--require ${preload}`, CLOCK_FILE: clock } })
  const { pid } = await up(box, 'worker')
  killProcess(pid)
  await inState(box, 'crashed')
  writeFileSync(clock, String(offset))
  const second = await launch(box, 2)
  // The next crash is on the new clock alone.
  killProcess(second.body.process.pid)
  let crashed = 0
  const again = await record(box, (one): one is LogRecord<'agent.state'> => {
    if (one.type === 'agent.state' && one.body.state === 'crashed') crashed += 1
    return crashed === 2
  })
  expect(again.body.until).toBeGreaterThan(again.at)
})

test('an agent that ignores SIGTERM is killed when its time is up', async () => {
  const box = createBox({ REIN_AGENTS_STOP_TIMEOUT_S: '1' })
  program(box, `trap '' TERM; ${idleUntilEnded}`)
  await box.daemon()
  const { pid } = await up(box, 'deaf')
  killProcess(pid, 'SIGTERM')
  expect(await box.rein(['down', 'deaf'])).toMatchObject({ code: 0 })
  const [view] = await box.client().ps({ all: true })
  expect(view).toMatchObject({ state: 'stopped', pid: null })
  expect(running(box)).toEqual([])
})

test('an agent that ends at once, for ever, is given up where everybody sees it, and comes back when it is well', async () => {
  const box = createBox({ ...quick, REIN_AGENTS_RESTART_LIMIT: '3' })
  const ill = join(box.root, 'ill')
  program(box, `[ -e '${ill}' ] && { echo 'no configuration' >&2; exit 1; }; ${idleUntilEnded}`)
  await box.daemon()
  const { pid } = await up(box, 'worker')
  writeFileSync(ill, '')
  killProcess(pid)
  const { body } = await inState(box, 'looping')
  expect(body.evidence.detail).toMatch(/3 times within an hour.*no configuration/s)
  expect([await launches(box), running(box)]).toEqual([3, []])
  expect((await box.rein(['ps'])).stdout).toContain('looping')
  rmSync(ill)
  expect(await box.rein(['up', '--all'])).toMatchObject({ code: 0 })
  expect(running(box)).toEqual([await pidOf(box, 'worker')])
})

test('an agent that ends at once, for ever, is never given up where no limit is set', async () => {
  const box = createBox({ ...quick, REIN_AGENTS_RESTART_LIMIT: '0' })
  const ill = join(box.root, 'ill')
  program(box, `[ -e '${ill}' ] && exit 1; ${idleUntilEnded}`)
  await box.daemon()
  const { pid } = await up(box, 'worker')
  writeFileSync(ill, '')
  killProcess(pid)
  await launch(box, 3)
  rmSync(ill)
  await until(async () => running(box).includes(await pidOf(box, 'worker')))
  expect((await box.client().ps({}))[0]).toMatchObject({ handle: 'worker', crashes: expect.any(Number) })
})

test('a daemon that is killed between "No, exit" and the end of the CLI leaves no agent that comes back', async () => {
  const box = createBox(quick)
  const dialog = join(import.meta.dirname, '../fixtures/screens/claude/2.1.197/trust-80x24/screen.txt')
  const gate = join(box.root, 'gate')
  const ends = `while [ ! -e '${gate}' ]; do sleep 0.05; done; exit 1`
  program(box, `stty raw opost -echo; cat '${dialog}'; head -c 1 >/dev/null; printf '\\033[2J\\033[H'; ${ends}`)
  const first = await box.daemon()
  const request = { cwd: box.cwd, env: {}, args: [] }
  await box.client().up({ handle: 'worker', driver: 'claude', host: 'pty', request, env: box.env })
  await inState(box, 'awaiting_answer')
  const answer = box.client().answer({ target: 'worker', cwd: box.cwd, answer: 'no' })
  const answered = answer.catch(() => undefined)
  await record(box, (one): one is LogRecord<'agent.answered'> => one.type === 'agent.answered')
  const pid = await pidOf(box, 'worker')
  await first.kill()
  await answered
  writeFileSync(gate, '')
  await until(() => !running(box).includes(pid))
  await box.daemon()
  expect(await box.client().ps({ all: true })).toMatchObject([{ state: 'stopped', until: null }])
  expect(await launches(box)).toBe(1)
})

test('a daemon that is killed while an agent is taken down leaves none that comes back', async () => {
  const box = createBox({ ...quick, REIN_AGENTS_STOP_TIMEOUT_S: '600' })
  const [asked, gate] = [join(box.root, 'asked'), join(box.root, 'gate')]
  const ends = `while [ ! -e '${gate}' ]; do sleep 0.05; done; exit 1`
  program(box, `trap ': >${asked}' TERM; echo '{"type":"result","subtype":"success"}'; ${ends}`)
  const first = await box.daemon()
  await up(box, 'worker')
  const pid = await pidOf(box, 'worker')
  const down = box
    .client()
    .down({ target: 'worker', cwd: box.cwd })
    .catch(() => undefined)
  await until(() => existsSync(asked))
  await first.kill()
  await down
  writeFileSync(gate, '')
  await until(() => !running(box).includes(pid))
  await box.daemon()
  expect(await box.client().ps({ all: true })).toMatchObject([{ state: 'stopped', until: null }])
  expect(await launches(box)).toBe(1)
})

test('a policy that --auto-approve leaves without effect is refused, or said to be', async () => {
  const box = createBox({ REIN_AGENTS_POLICY: 'ask,Bash=deny' })
  const start = (...flags: string[]) => box.rein(['up', 'worker', '--host', 'stream', ...flags])
  expect(await start('--auto-approve', '--policy', 'Bash=deny')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--policy would not be consulted'),
  })
  expect(await start('--permission-mode', 'bypassPermissions')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the policy would not be asked'),
  })
  expect(await start('--auto-approve')).toMatchObject({ code: 0, stderr: expect.stringContaining('agents.policy') })
})
