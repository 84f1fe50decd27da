import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AnyRecord } from '../../src/contract/record.ts'
import { killProcess } from '../support/kill.ts'
import { shownIn, startRein, statesOf, type TestRein } from './harness.ts'
import { idle, inState, shows, terminalOf } from './terminal.ts'

const isKilledWaiter = ({ type, body }: AnyRecord): boolean =>
  type === 'agent.health' && body.reason === 'its waiter was killed'

const proven = ['queued', 'offered', 'placed', 'seen', 'acked']

const startTerminal = async (prompt: string | null, options = {}, request = {}) => {
  const rein = await startRein(options)
  const agent = await rein.up(prompt, request, { host: 'tmux' })
  return { ...rein, agent, terminal: await terminalOf(rein) }
}

const waiters = ({ paths }: TestRein): string[] => {
  const root = join(paths.runtime, 'waiters')
  return readdirSync(root).flatMap((agent) => readdirSync(join(root, agent)))
}

test('a busy agent gets it with its tools, and at its stop', async () => {
  const { sim, tell, reached } = await startTerminal('WAIT:busy ;; RUN:echo work ;; WAIT:stop ;; SAY:done')
  await sim.reached('busy')
  const busy = await tell('While busy.')
  sim.release('busy')
  expect(statesOf(await reached(busy.id, 'acked'))).toEqual(proven)
  await sim.reached('stop')
  const stop = await tell('At the stop.')
  sim.release('stop')
  expect(statesOf(await reached(stop.id, 'acked'))).toEqual(proven)
  expect(shownIn(sim.requests.at(-1), busy.id)).toBe(1)
  expect(shownIn(sim.requests.at(-1), stop.id)).toBe(1)
})

test('an idle agent is woken without a key being typed, twenty times, by one waiter', async () => {
  const rein = await startTerminal(null)
  for (let time = 1; time <= 20; time += 1) {
    const { id } = await rein.tell(`Wake up, time ${time}.`)
    expect(statesOf(await rein.reached(id, 'acked'))).toEqual(proven)
    expect(shownIn(await rein.sim.next((request) => request.text.includes(id)), id)).toBe(1)
  }
  await idle(rein)
  expect(waiters(rein)).toHaveLength(1)
})

test('a terminal agent gets what was told before it started', async () => {
  const rein = await startTerminal(null)
  await rein.client.down({ target: 'worker', cwd: rein.cwd })
  const { id } = await rein.tell('Good morning.')
  await rein.up('SAY:hello', {}, { host: 'tmux' })
  await rein.reached(id, 'acked')
  expect(shownIn(await rein.sim.next((request) => request.isMain), id)).toBe(1)
})

test('a permission dialog is left alone, and what was told comes after it', async () => {
  const rein = await startTerminal('RUN:touch a.txt ;; SAY:done', {}, { autoApprove: false, permissionMode: 'default' })
  await inState(rein, 'awaiting_permission')
  const { id, delivery } = await rein.tell('Patience.')
  expect(delivery).toContain('rein answer worker')
  const before = await shows(rein.terminal, 'Do you want to proceed?')
  await expect(rein.client.interrupt({ target: 'worker', cwd: rein.cwd })).rejects.toMatchObject({ code: 'refused' })
  expect(await rein.terminal.screen()).toBe(before)
  expect(existsSync(join(rein.cwd, 'a.txt'))).toBe(false)
  await rein.client.answer({ target: 'worker', cwd: rein.cwd, answer: 'allow' })
  await rein.reached(id, 'acked')
  expect(existsSync(join(rein.cwd, 'a.txt'))).toBe(true)
  expect(shownIn(rein.sim.requests.filter((request) => request.isMain)[1], id)).toBe(1)
})

test('dialogs at the start are shown as questions, not answered by accident', async () => {
  const rein = await startRein()
  const elsewhere = join(rein.cwd, '..', 'home')
  const agent = await rein.up(null, { cwd: elsewhere }, { host: 'tmux' })
  expect(agent).toMatchObject({ state: 'awaiting_answer', question: { tool: 'trust' } })
  await rein.client.answer({ target: 'worker', cwd: elsewhere, answer: 'allow' })
  const { id } = await rein.client.tell({ target: 'worker', cwd: elsewhere, text: 'Now you may.', from: 'tester' })
  await rein.reached(id, 'acked')
})

test('after Esc nothing wakes it for a while, then it is told', async () => {
  const rein = await startTerminal('WAIT:never ;; SAY:unsaid', { config: { REIN_INBOX_INTERRUPT_QUIET_S: '2' } })
  await rein.sim.reached('never')
  await rein.terminal.press('Escape')
  const interrupted = await rein.record('agents', (one) => one.type === 'agent.interrupted')
  const { id } = await rein.tell('After the interrupt.')
  const receipt = await rein.reached(id, 'acked')
  expect(statesOf(receipt)).toEqual(proven)
  expect((receipt.steps[1]?.at ?? 0) - interrupted.at).toBeGreaterThanOrEqual(2000)
})

test('a directive that left the context with /clear or /compact comes again', async () => {
  const rein = await startTerminal('WAIT:told ;; RUN:echo work ;; SAY:done', { scenario: '' })
  await rein.sim.reached('told')
  const { id } = await rein.tell('Remember this.')
  rein.sim.release('told')
  await rein.until(id, ({ state }) => state === 'seen')
  for (const [index, command] of ['/compact', '/clear'].entries()) {
    await idle(rein)
    await rein.terminal.write(command)
    const again = await rein.until(
      id,
      ({ state, steps }) => state === 'seen' && steps.filter((step) => step.state === 'seen').length === index + 2,
    )
    expect(again.steps.filter((step) => step.reason === 'left_context')).toHaveLength(index + 1)
  }
})

test('killed agent, killed daemon: it arrives all the same', async () => {
  const rein = await startTerminal('RUN:echo started ;; SAY:ready')
  await inState(rein, 'idle')
  killProcess(rein.agent.pid)
  await inState(rein, 'crashed')
  const first = await rein.tell('For the next life.')
  await rein.up(null, { continue: true }, { host: 'tmux' })
  await rein.reached(first.id, 'acked')
  await rein.killDaemon()
  const second = await rein.tell('After the daemon died.')
  await rein.reached(second.id, 'acked')
  for (const { id } of [first, second])
    expect(shownIn(await rein.sim.next((request) => request.text.includes(id)), id)).toBe(1)
})

test.each(['tmux', 'pty'] as const)(
  'an idle agent whose waiter was killed is typed to, and has a new one then (%s)',
  async (host) => {
    const rein = await startRein()
    await rein.up('SAY:ready', {}, { host })
    await idle(rein)
    const ways = async () => (await rein.client.ps({ all: false })).map(({ wake }) => wake)
    expect(await ways()).toEqual(['waiter'])
    const [waiter = ''] = waiters(rein)
    killProcess(Number(waiter.split('.')[1]))
    await rein.record('agents', (one): one is AnyRecord => isKilledWaiter(one))
    expect(await ways()).toEqual(['keys_instead'])
    const { id, delivery } = await rein.tell('Nobody listens.')
    expect(delivery).toContain('Rein wakes it by typing')
    expect(statesOf(await rein.reached(id, 'acked'))).toEqual(proven)
    expect(shownIn(await rein.sim.next((request) => request.text.includes(id)), id)).toBe(1)
    expect(await ways()).toEqual(['waiter'])
  },
)
