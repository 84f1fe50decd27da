import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { LogRecord } from '../../src/contract/record.ts'
import { killProcess } from '../support/kill.ts'
import { startRein, statesOf, type TestRein } from './harness.ts'
import { idle, terminalOf } from './terminal.ts'

const quick = { REIN_AGENTS_RESTART_BACKOFF_S: '1' }

const started = async (handles: readonly string[], prompt: string | null = null): Promise<TestRein> => {
  const rein = await startRein({ config: quick })
  for (const handle of handles) await rein.up(prompt, {}, { host: 'tmux', handle })
  return rein
}

/** A command to the tmux server in which Rein's agents are. */
const tmux = async ({ paths }: TestRein, ...args: string[]): Promise<string> =>
  (await promisify(execFile)('tmux', ['-S', join(paths.runtime, 'tmux.sock'), ...args])).stdout.trim()

const sessionOf = async ({ client, cwd }: TestRein, target: string): Promise<string> =>
  (await client.attach({ target, cwd })).command?.at(-1) ?? ''

/** Resolves when as many agents as that have crashed, each once. */
const crashed = async ({ client }: TestRein, count: number): Promise<LogRecord<'agent.state'>[]> => {
  const found: LogRecord<'agent.state'>[] = []
  for await (const one of client.tail({ topic: 'agents', after: 0, follow: true })) {
    if (one.type === 'agent.state' && one.body.state === 'crashed') found.push(one)
    if (found.length === count) break
  }
  return found
}

const acked = async (rein: TestRein, target: string, text: string): Promise<void> => {
  const { id } = await rein.tell(text, { target })
  expect(statesOf(await rein.reached(id, 'acked')).at(-1)).toBe('acked')
}

test('the tmux server is killed: all of its agents are reported, and come back with their conversations', async () => {
  const handles = ['one', 'two']
  const rein = await started(handles, 'SAY:hello')
  await idle(rein)
  const before = await rein.client.ps({})
  killProcess(Number(await tmux(rein, 'display-message', '-p', '#{pid}')))
  const reports = await crashed(rein, handles.length)
  expect(new Set(reports.map(({ agent }) => agent)).size).toBe(handles.length)
  for (const handle of handles) await acked(rein, handle, `Are you there, ${handle}?`)
  const after = await rein.client.ps({})
  expect(after.map(({ conversation }) => conversation)).toEqual(before.map(({ conversation }) => conversation))
  for (const { pid } of after) expect(before.map((one) => one.pid)).not.toContain(pid)
})

test('its pane is closed by a person: it is reported, and comes back in a new one', async () => {
  const rein = await started(['worker'], 'SAY:hello')
  await idle(rein)
  await tmux(rein, 'kill-pane', '-t', `${await sessionOf(rein, 'worker')}:`)
  await crashed(rein, 1)
  await acked(rein, 'worker', 'Are you there?')
  const [agent] = await rein.client.ps({})
  const panes = await tmux(rein, 'list-panes', '-s', '-t', `${await sessionOf(rein, 'worker')}:`, '-F', '#{pane_pid}')
  expect(panes).toBe(String(agent?.pid))
})

test.each([
  [60, 20],
  [250, 60],
])('its terminal is made %i × %i: its state is read as before, and what it is told arrives', async (width, height) => {
  const rein = await started(['worker'], 'SAY:hello')
  await idle(rein)
  const session = `${await sessionOf(rein, 'worker')}:`
  await tmux(rein, 'resize-window', '-t', session, '-x', String(width), '-y', String(height))
  expect(await tmux(rein, 'display-message', '-p', '-t', session, '#{pane_width}x#{pane_height}')).toBe(
    `${width}x${height}`,
  )
  await acked(rein, 'worker', 'Small or large?')
  await idle(rein)
  const terminal = await terminalOf(rein)
  await terminal.write('WAIT:never ;; SAY:unsaid')
  await rein.sim.reached('never')
  // No hook tells of this key: only the screen and the transcript do.
  await terminal.press('Escape')
  await rein.record('agents', (one): one is LogRecord<'agent.interrupted'> => one.type === 'agent.interrupted')
  await idle(rein)
})
