import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentState } from '../../src/contract/agent.ts'
import type { AnyRecord, LogRecord } from '../../src/contract/record.ts'
import { after } from '../../src/util/timer.ts'
import { directiveOf, noteText } from '../campaign/truth.ts'
import { processesUnder } from '../soak/processes.ts'
import { killProcess } from '../kill.ts'
import { type Box, createBox, type Env, repository } from './harness.ts'

const quick = {
  REIN_AGENTS_RESTART_BACKOFF_S: '1',
  REIN_AGENTS_RESTART_BACKOFF_MAX_S: '1',
  REIN_AGENTS_RESTART_LIMIT: '1000',
}
const many = Array.from({ length: 20 }, (_, index) => `agent-${index + 1}`)

const up = (box: Box, handle: string, more: Env = {}) => {
  const request = { cwd: box.cwd, env: {}, args: [] }
  return box.client().up({ handle, driver: 'claude', host: 'stream', request, env: { ...box.env, ...more } })
}

const records = (box: Box) => box.client().tail('agents', { after: 0, follow: true })

const record = async <T extends AnyRecord>(box: Box, match: (one: AnyRecord) => one is T): Promise<T> => {
  for await (const one of records(box)) if (match(one)) return one
  throw new Error('The log has ended.')
}

/** Resolves when some agent has come into this state. */
const inState = (box: Box, state: AgentState): Promise<LogRecord<'agent.state'>> =>
  record(box, (one): one is LogRecord<'agent.state'> => one.type === 'agent.state' && one.body.state === state)

/** Resolves at the launch with this number. */
const launch = (box: Box, number: number): Promise<LogRecord<'agent.launched'>> => {
  let count = 0
  return record(box, (one): one is LogRecord<'agent.launched'> => one.type === 'agent.launched' && ++count === number)
}

const launches = async (box: Box): Promise<number> => {
  let count = 0
  for await (const { type } of box.client().tail('agents', { after: 0 })) count += Number(type === 'agent.launched')
  return count
}

/** The processes that have the name of an agent, or of this one, in their environment. */
const running = ({ root }: Box, agent?: string): number[] =>
  processesUnder(root, '')
    .filter((one) => one.agent !== null && (agent === undefined || one.agent === agent))
    .map(({ pid }) => pid)

const pidOf = async (box: Box, handle: string): Promise<number> =>
  (await box.client().ps({})).find((one) => one.handle === handle)?.pid ?? 0

const program = ({ env }: Box, script: string): void => {
  const version = `[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }`
  writeFileSync(env['REIN_CLAUDE_PATH'] ?? '', `#!/bin/sh\n${version}\n${script}\n`, { mode: 0o755 })
}

const idleUntilEnded = `echo '{"type":"result","subtype":"success"}'; exec cat >/dev/null`

test('a hundred kills of twenty agents: each comes back every time, and never twice', async () => {
  const box = createBox(quick)
  await box.daemon()
  await Promise.all(many.map((handle) => up(box, handle)))
  const launched = new Map<string, number[]>()
  let finished = 0
  for await (const one of records(box)) {
    const pids = launched.get(one.agent ?? '') ?? []
    if (one.type === 'agent.launched') launched.set(one.agent ?? '', [...pids, one.body.process.pid])
    if (one.type !== 'agent.state' || one.body.state !== 'idle') continue
    expect(running(box, one.agent ?? '')).toEqual([pids.at(-1)])
    if (pids.length <= 5) killProcess(pids.at(-1))
    else finished += 1
    if (finished === many.length) break
  }
  expect([...launched.values()].flat()).toHaveLength(many.length * 6)
})

test('several restarts at once, by hand and by itself, leave one process that is known', async () => {
  const box = createBox(quick)
  await box.daemon()
  await up(box, 'worker')
  for (let time = 0; time < 15; time += 1) {
    killProcess(await pidOf(box, 'worker'))
    const restart = () => box.client().restart({ target: 'worker', cwd: box.cwd })
    await Promise.allSettled([restart(), restart(), box.client().resume({ cwd: box.cwd, env: box.env }), restart()])
    expect(running(box)).toEqual([await pidOf(box, 'worker')])
  }
})

describe('a daemon that is killed', () => {
  test('ten times: the agents live on and are taken over, none is started again', async () => {
    const box = createBox(quick)
    let daemon = await box.daemon()
    await Promise.all(many.slice(0, 5).map((handle) => up(box, handle)))
    const before = running(box)
    for (let time = 0; time < 10; time += 1) {
      await daemon.kill()
      daemon = await box.daemon()
    }
    const known = (await box.client().ps({})).map(({ pid, state }) => ({ pid, state }))
    expect(known).toEqual(expect.arrayContaining(before.map((pid) => ({ pid, state: 'idle' }))))
    expect([running(box), await launches(box)]).toEqual([before, 5])
    for (const handle of many.slice(0, 5)) await box.client().down({ target: handle, cwd: box.cwd })
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
    while (running(box).length === 0) await new Promise((resolve) => setImmediate(resolve))
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
    await new Promise<void>((resolve) => after((body.until ?? at) + 500 - Date.now(), resolve))
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
  expect(await box.rein(['resume'])).toMatchObject({ code: 0 })
  expect(running(box)).toEqual([await pidOf(box, 'worker')])
})

test('twenty agents at once: each is told one thing, and all of it is acknowledged', async () => {
  const { bundleTs } = (await import(join(repository, 'scripts/load-ts.mjs'))) as {
    bundleTs: (source: string) => Promise<string>
  }
  const standIn = await bundleTs('test/campaign/stand-in/main.ts')
  const box = createBox({ ...quick, REIN_HOOKS_DEADLINE_MS: '4000', REIN_INBOX_ACK_DEADLINE_S: '2' })
  program(box, `exec '${process.execPath}' '${standIn}' "$@"`)
  await box.daemon()
  const truth = (handle: string) => ({ CAMPAIGN_TRUTH: join(box.root, handle), CAMPAIGN_SEED: handle.slice(6) })
  const told = await Promise.all(
    many.map(async (handle) => {
      await up(box, handle, truth(handle))
      const note = randomUUID()
      const words = { id: directiveOf(note), text: noteText(note), from: 'tester' }
      return box.client().tell({ target: handle, cwd: box.cwd, ...words })
    }),
  )
  for (const { id } of told) for await (const _ of box.client().follow(id, 'acked'));
  expect(await launches(box)).toBe(many.length)
  expect(running(box).length).toBeGreaterThanOrEqual(many.length)
})
