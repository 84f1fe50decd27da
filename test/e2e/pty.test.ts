import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import { killProcess } from '../support/kill.ts'
import { shownIn, startRein, statesOf, type TestRein } from './harness.ts'
import { lookUntil } from './look.ts'
import { personAt } from '../support/person.ts'
import { idle, inState, shows, terminalOf } from './terminal.ts'

const proven = ['queued', 'offered', 'placed', 'seen', 'acked']
const pty = { host: 'pty' } as const

const keeperOf = async (pid: number): Promise<number> =>
  Number(/^PPid:\s+(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])

const states = async ({ client }: TestRein): Promise<string[]> => {
  const found: AnyRecord[] = []
  for await (const record of client.tail({ topic: 'agents', after: 0 })) found.push(record)
  return found.flatMap((one) => (one.type === 'agent.state' ? [one.body.state] : []))
}

/** Since 2.1.3xx a terminal of Claude Code asks nobody by default. */
const asking = { autoApprove: false, permissionMode: 'default' }

test('without tmux: busy, idle, with a dialog, and after the daemon was killed', async () => {
  const rein = await startRein()
  const agent = await rein.up('WAIT:busy ;; RUN:touch a.txt ;; SAY:done', asking, pty)
  await rein.sim.reached('busy')
  const busy = await rein.tell('While busy.')
  rein.sim.release('busy')
  await inState(rein, 'awaiting_permission')
  await shows(await terminalOf(rein), 'Do you want to proceed?')
  await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
  expect(statesOf(await rein.reached(busy.id, 'acked')).at(-1)).toBe('acked')
  expect(existsSync(join(rein.cwd, 'a.txt'))).toBe(true)
  await idle(rein)
  await rein.killDaemon()
  const later = await rein.tell('After the daemon died.')
  const receipt = await rein.reached(later.id, 'acked')
  expect(statesOf(receipt)).toEqual(proven)
  expect(shownIn(await rein.sim.next((request) => request.text.includes(later.id)), later.id)).toBe(1)
  expect((await rein.client.ps({})).map(({ pid, host }) => ({ pid, host }))).toEqual([{ pid: agent.pid, host: 'pty' }])
})

test('a person attaches, types and leaves; Esc is seen though no hook tells of it', async () => {
  const rein = await startRein({ config: { REIN_INBOX_INTERRUPT_QUIET_S: '0' } })
  await rein.up(null, {}, pty)
  const person = personAt(['attach', 'worker'], { cwd: rein.cwd, env: rein.daemonEnv })
  await person.shows('❯')
  person.type('WAIT:typed ;; SAY:unsaid')
  await person.shows('WAIT:typed')
  person.type('\r')
  await rein.sim.reached('typed')
  person.type('\u001b')
  const interrupted = await rein.record('agents', (one) => one.type === 'agent.interrupted')
  expect(interrupted.body).toMatchObject({ evidence: { source: 'screen' } })
  person.type('\u0002d')
  expect(await person.ended).toMatchObject({ code: 0, output: expect.stringContaining('[detached]') })
  await idle(rein)
  const { id } = await rein.tell('Somebody was here.')
  expect(statesOf(await rein.reached(id, 'acked'))).toEqual(proven)
})

test('the keeper killed: its agents are reported gone; a new one starts with the same conversation', async () => {
  const rein = await startRein({ config: { REIN_AGENTS_RESTART: 'false' } })
  const agent = await rein.up('SAY:first', {}, pty)
  // What the CLI has not written down yet dies with it.
  await rein.record('turns', (one): one is AnyRecord => one.type === 'turn.ended')
  killProcess(await keeperOf(agent.pid ?? 0))
  await inState(rein, 'crashed')
  const back = await rein.up('SAY:second', { continue: true }, pty)
  expect(back.conversation).toBe(agent.conversation)
  const resumed = await rein.sim.next((request) => request.isMain && request.text.includes('SAY:second'))
  expect(resumed.text).toContain('SAY:first')
  expect(await states(rein)).toContain('crashed')
  await rein.client.down({ target: 'worker', cwd: rein.cwd })
  await lookUntil(
    () => existsSync(join(rein.paths.runtime, 'pty.sock')),
    (isThere) => !isThere,
  )
})
