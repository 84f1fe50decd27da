import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import type { ReinError } from '../../src/contract/errors.ts'
import type { LiveEvent } from '../../src/contract/live.ts'
import { locate } from '../../src/drivers/claude/transcript.ts'
import { killProcess } from '../support/kill.ts'
import { startRun } from '../support/run-harness.ts'
import { actingAs, type Box, createBox, gone } from './harness.ts'

/** Is idle, then works on its first prompt for good, whatever it is told. */
const stubborn = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo '{"type":"result","subtype":"success"}'
read -r prompt
echo '{"type":"assistant","message":{"content":[{"type":"text","text":"at work"}]}}'
while read -r line; do
  echo '{"type":"assistant","message":{"content":[{"type":"text","text":"I was told something"}]}}'
done
`

const boxOf = (cli: string): Box => {
  const box = createBox()
  writeFileSync(box.env['REIN_CLAUDE_PATH'] ?? '', cli)
  return box
}

/** Resolves when all agents are gone. */
const whenEmpty = async (box: Box) => {
  for await (const { agents } of box.client().watch({})) if (agents.length === 0) return agents
  return null
}

test('a first Ctrl-C interrupts the turn, a second one ends the run; the agent is gone with it', async () => {
  const box = boxOf(stubborn)
  const run = startRun(box, ['Go.'])
  await run.says(/at work/)
  run.child.kill('SIGINT')
  await run.says(/told something/)
  run.child.kill('SIGINT')
  expect(await run.ended).toBe(130)
  expect(await box.client().ps({})).toEqual([])
})

test('somebody else may end it', async () => {
  const box = boxOf(stubborn)
  const run = startRun(box, ['--json', 'Go.'])
  await run.says(/at work/)
  await box.client().down({ target: 'run', cwd: box.cwd })
  expect(await run.ended).toBe(13)
  const decided: string[] = []
  for await (const { body } of box.client().tail({ topic: 'runs', after: 0 })) decided.push(JSON.stringify(body))
  expect(decided).toEqual([
    '{"action":"prompt","reason":"the first prompt","turns":0,"costUsd":null}',
    expect.stringContaining('{"action":"end","reason":"stopped","detail":'),
  ])
})

test('a conversation that an agent has open is opened by nobody else, whatever the way', async () => {
  const box = boxOf(stubborn)
  const ada = await box.client().up({
    handle: 'ada',
    driver: 'claude',
    host: 'stream',
    request: { cwd: box.cwd, env: {}, args: [] },
    env: box.env,
  })
  const name = `${ada.project}/ada`
  const id = ada.conversation ?? ''
  for (const args of [
    ['up', 'bob', '--host', 'stream', '--resume', id],
    ['up', 'bob', '--host', 'stream', '--session', id],
    ['up', 'bob', '--host', 'stream', '--continue'],
    ['run', '-r', id, 'x'],
    ['run', '-c', 'x'],
  ]) {
    const { code, stderr } = await box.rein(args)
    expect([args, code, stderr]).toEqual([args, 5, expect.stringContaining(name)])
  }
  expect((await box.client().ps({ all: true })).map(({ handle }) => handle)).toEqual(['ada'])
  await box.client().down({ target: 'ada', cwd: box.cwd })
  // As a real one would have done.
  const transcript = locate(id, box.cwd, box.env)
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, '{"type":"user","uuid":"u1","message":{"role":"user","content":"Go."}}\n')
  expect(await box.rein(['up', 'bob', '--host', 'stream', '--resume', id])).toMatchObject({ code: 0 })
  const back = box.client().restart({ target: 'ada', cwd: box.cwd, fresh: false })
  await expect(back).rejects.toMatchObject({ message: `${ada.project}/bob has this conversation open (idle).` })
})

test('whoever starts it again does not end the run', async () => {
  const box = boxOf(stubborn)
  const run = startRun(box, ['--json', '--loop', 'Go.'])
  await run.says(/at work/)
  await box.client().restart({ target: 'run', cwd: box.cwd, fresh: false })
  await run.says(/"kind":"decision","action":"prompt","reason":"it did not say that it is done"/)
  expect((await box.client().ps({})).map(({ state }) => state)).toEqual(['working'])
})

test('what was told to a run ends with it: the next one under its handle begins with an empty inbox', async () => {
  const box = boxOf(stubborn)
  const first = startRun(box, ['Go.'])
  await first.says(/at work/)
  const at = { target: 'run', cwd: box.cwd }
  const { id } = await box.client().tell({ ...at, text: 'Only for this run.', from: 'ada' })
  await box.client().down(at)
  await first.ended
  expect((await box.client().receipt({ id })).steps.at(-1)).toMatchObject({ state: 'failed', reason: 'run_ended' })
  const late = box.client().tell({ ...at, text: 'Too late.', from: 'ada' })
  const hint = await late.then(() => '').catch((cause: ReinError) => cause.hint ?? '')
  const [, ...command] = hint.replace('Go on with it: ', '').split(' ')
  const elsewhere = mkdtempSync(join(tmpdir(), 'rein-elsewhere-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  // Typed as it stands, from a directory that has nothing to do with it.
  expect(await box.rein([...command, '--json'], { cwd: elsewhere })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`"cwd": ${JSON.stringify(box.cwd)}`),
  })
  await box.client().down(at)
  const second = startRun(box, ['Go.'])
  await second.says(/at work/)
  expect(await box.client().inbox(at)).toEqual([])
})

test('a run that was killed with its daemon leaves nothing to the next one either', async () => {
  const box = boxOf(stubborn)
  const request = { cwd: box.cwd, env: {}, args: [], isOwned: true }
  const up = { handle: 'run', driver: 'claude', host: 'stream' as const, request, env: box.env }
  const at = { target: 'run', cwd: box.cwd }
  await box.client().up(up)
  const { id } = await box.client().tell({ ...at, text: 'Only for this run.', from: 'ada' })
  await box.client().down(at)
  await box.client().up(up)
  expect((await box.client().receipt({ id })).state).toBe('failed')
  expect(await box.client().inbox(at)).toEqual([])
})

test('whoever reads no more ends the run, and the agent', async () => {
  const box = boxOf(stubborn)
  const run = startRun(box, ['Go.'])
  await run.says(/at work/)
  const ended = once(run.child, 'exit')
  run.child.stdout.destroy()
  await box.client().interrupt({ target: 'run', cwd: box.cwd })
  // It may end before the daemon has answered.
  await ended
  expect(await whenEmpty(box)).toEqual([])
})

test('an agent whose run was killed before it could look, or together with the daemon, is ended', async () => {
  const [early, both] = [boxOf(stubborn), boxOf(stubborn)]
  const request = { cwd: early.cwd, env: {}, args: [], isOwned: true }
  await early.client().up({ handle: 'run', driver: 'claude', host: 'stream', request, env: early.env })

  const run = startRun(both, ['Go.'])
  await run.says(/at work/)
  const daemon = both.registered()?.pid ?? 0
  killProcess(daemon)
  killProcess(run.child.pid)
  await gone(daemon)
  expect((await both.client().ps({})).map(({ state }) => state)).toEqual(['working'])
  expect(await Promise.all([whenEmpty(early), whenEmpty(both)])).toEqual([[], []])
})

test('what was brought back by hand is nobody’s run any more', async () => {
  const box = boxOf(stubborn)
  const at = { target: 'run', cwd: box.cwd }
  const request = { cwd: box.cwd, env: {}, args: [], isOwned: true }
  await box.client().up({ handle: 'run', driver: 'claude', host: 'stream', request, env: box.env })
  await box.client().down(at)
  await box.client().restart({ ...at, fresh: false })
  const owned: unknown[] = []
  for await (const { type, body } of box.client().tail({ topic: 'agents', after: 0 }))
    if (type === 'agent.launched') owned.push(body.request.isOwned)
  expect(owned).toEqual([true, undefined])
})

test('an agent can be looked at as it works, and prompted, by people alone', async () => {
  const box = boxOf(stubborn)
  const request = { cwd: box.cwd, env: {}, args: [] }
  await box.client().up({ handle: 'ada', driver: 'claude', host: 'stream', request, env: box.env })
  const at = { target: 'ada', cwd: box.cwd }
  const events = box.client().live(at)
  const next = async (): Promise<LiveEvent> => (await events.next()).value as LiveEvent
  expect(await next()).toMatchObject({ kind: 'state', state: 'idle' })
  await box.client().prompt({ ...at, text: 'Go.' })
  expect([await next(), await next()]).toMatchObject([
    { kind: 'prompt', text: 'Go.' },
    { kind: 'state', state: 'working' },
  ])
  expect([await next(), await next()]).toEqual([
    { kind: 'reply', told: 'begin' },
    { kind: 'text', text: 'at work' },
  ])
  await expect(box.client().prompt({ ...at, text: 'And this.' })).rejects.toMatchObject({ code: 'refused' })
  const agent = box.client({ env: actingAs(box, 'ada') })
  await expect(agent.prompt({ ...at, text: 'Me, too.' })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(agent.live(at).next()).rejects.toMatchObject({ code: 'forbidden' })
  await events.return(undefined)
  expect((await box.client().ps({})).map(({ handle }) => handle)).toEqual(['ada'])
})

test.each([
  [['--pause-on', 'turn', 'x'], 'Without --loop or --until a run does not go on by itself.'],
  [['-c', '-r', 'y', 'x'], 'Give only one of --continue and --resume.'],
  [['--budget', '0', 'x'], 'an amount in US dollars is needed'],
  [[], 'There is no text to send.'],
])('%j is refused', async (args, why) => {
  const run = startRun(createBox(), args)
  expect(await run.ended).toBe(2)
  expect(run.stderr()).toContain(why)
})

/** As the real one ends when it has no such conversation. */
const forgetful = `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.197 (Claude Code)'; exit; }
echo 'No conversation found' >&2
exit 1
`

test('a conversation that nobody knows is not found, and nothing is started', async () => {
  const box = boxOf(forgetful)
  const run = startRun(box, ['-r', 'nosuch', 'Go.'])
  expect(await run.ended).toBe(3)
  expect(run.stderr()).toContain('Claude Code has no conversation "nosuch".')
  expect(await box.client().ps({ all: true })).toEqual([])
})
