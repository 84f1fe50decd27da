import { expect, test } from 'vitest'
import { shownIn, startRein, statesOf } from './harness.ts'
import { idle } from './terminal.ts'

test('what two other agents say at the same time is one wake; a person does not wait', async () => {
  const { sim, client, cwd, up, tell, reached } = await startRein({ config: { REIN_NOTIFY_STARTUP_GRACE_S: '0' } })
  const worker = await up(null)
  for (const handle of ['ada', 'bob'])
    await up(`WAIT:go ;; RUN:rein tell worker 'From ${handle}.' ;; SAY:done`, {}, { handle })
  sim.release('go')
  const woken = await sim.next(({ isMain, headers }) => isMain && isOf(worker.conversation, headers))
  const gathered = await client.inbox({ target: 'worker', cwd, all: true })
  expect(gathered.map(({ from }) => from).toSorted()).toEqual(['ada', 'bob'])
  for (const { id } of gathered) {
    expect(shownIn(woken, id)).toBe(1)
    expect(statesOf(await reached(id, 'acked'))).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
  }
  // The cooldown of a quarter of a minute has only just begun.
  const { id, delivery } = await tell('From a person.')
  expect(delivery).not.toContain(' s.')
  await reached(id, 'acked')
})

test('with notifications off an idle agent is told nothing until it runs, and nobody is told otherwise', async () => {
  const rein = await startRein({ config: { REIN_NOTIFY_ENABLED: 'false' } })
  await rein.up(null)
  await idle(rein)
  const { id, delivery, state } = await rein.tell('Use tabs.')
  expect(delivery).toContain('notify.enabled is off')
  expect(state).toBe('queued')
  await rein.type('SAY:hello')
  await rein.reached(id, 'acked')
  const [first] = rein.sim.requests.filter(({ isMain }) => isMain)
  expect(shownIn(first, id)).toBe(1)
})

test('a paused agent is not woken: the receipt says so, and it gets it when it goes on', async () => {
  const { client, cwd, up, tell, reached } = await startRein()
  await up(null)
  await client.pause({ target: 'worker', cwd })
  const { id, state, steps } = await tell('Use tabs.')
  expect([state, steps.at(-1)?.reason]).toEqual(['held', 'paused'])
  await client.unpause({ target: 'worker', cwd })
  expect(statesOf(await reached(id, 'acked'))).toEqual(['queued', 'held', 'offered', 'placed', 'seen', 'acked'])
})

const isOf = (conversation: string | null, headers: Record<string, unknown>): boolean =>
  headers['x-claude-code-session-id'] === conversation
