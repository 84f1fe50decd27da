import { expect, test } from 'vitest'
import { shownIn, startRein, statesOf } from './harness.ts'

const proven = ['queued', 'offered', 'placed', 'seen', 'acked']

test('a directive reaches a busy agent with the result of its tools', async () => {
  const { sim, up, tell, reached } = await startRein()
  await up('WAIT:told ;; RUN:echo work ;; SAY:done')
  await sim.reached('told')
  const { id, delivery } = await tell('Use tabs.\nNot spaces.')
  expect(delivery).toContain('after its current tool calls')
  sim.release('told')
  const receipt = await reached(id, 'acked')
  expect(statesOf(receipt)).toEqual(proven)

  const [first, second] = sim.requests.filter((request) => request.isMain)
  expect(shownIn(first, id)).toBe(0)
  expect(shownIn(second, id)).toBe(1)
  expect(second?.newText).toContain('work')
  expect(second?.newText).toContain('| Use tabs.\n| Not spaces.')
  const [placed, seen] = receipt.steps.slice(2)
  expect(placed?.evidence?.entry).toBeDefined()
  expect(seen?.evidence).toMatchObject({ source: 'transcript', entry: placed?.evidence?.entry })
  expect(seen?.evidence?.descendant).toBeDefined()
})

test('a directive keeps an agent from stopping', async () => {
  const { sim, up, tell, reached } = await startRein()
  await up('WAIT:told ;; SAY:I am done')
  await sim.reached('told')
  const { id } = await tell('Check the spelling too.')
  sim.release('told')
  expect(statesOf(await reached(id, 'acked'))).toEqual(proven)
  const [, second] = sim.requests.filter((request) => request.isMain)
  expect(second?.newText).toContain('| Check the spelling too.')
  expect(shownIn(second, id)).toBe(1)
})

test('what is told to a stopped agent is there when it starts', async () => {
  const { sim, client, up, tell, reached, cwd } = await startRein()
  await up(null)
  await client.down({ target: 'worker', cwd })
  const told = await tell('Good morning.')
  expect(told.state).toBe('held')
  expect(told.delivery).toMatch(/rein up \S+\/worker --continue/)
  await up('SAY:hello')
  expect(statesOf(await reached(told.id, 'acked'))).toEqual(['queued', 'held', ...proven.slice(1)])
  expect(
    shownIn(
      sim.requests.find((request) => request.isMain),
      told.id,
    ),
  ).toBe(1)
})

test('an idle agent is woken and gets it with the prompt', async () => {
  const { sim, up, tell, reached } = await startRein()
  await up(null)
  const { id, delivery } = await tell('Wake up.')
  expect(delivery).toBe('worker is idle: it is woken now and gets this at once.')
  expect(statesOf(await reached(id, 'acked'))).toEqual(proven)
  expect(
    shownIn(
      sim.requests.find((request) => request.isMain),
      id,
    ),
  ).toBe(1)
})

test('three tools in parallel show it once', async () => {
  const { sim, up, tell, reached } = await startRein()
  await up('WAIT:told ;; PAR:RUN:echo a && RUN:echo b && RUN:echo c ;; SAY:done')
  await sim.reached('told')
  const { id } = await tell('Once only.')
  sim.release('told')
  await reached(id, 'acked')
  const [, second, ...rest] = sim.requests.filter((request) => request.isMain)
  expect(shownIn(second, id)).toBe(1)
  expect(rest.map((request) => shownIn(request, id))).toEqual(rest.map(() => 1))
})

test('several directives come in order of priority', async () => {
  const { sim, up, tell, reached } = await startRein()
  await up('WAIT:told ;; RUN:echo work ;; SAY:done')
  await sim.reached('told')
  const low = await tell('Low.', { priority: 'low' })
  const first = await tell('First.')
  const second = await tell('Second.')
  const high = await tell('High.', { priority: 'high' })
  sim.release('told')
  for (const { id } of [low, first, second, high]) await reached(id, 'acked')
  const shown = sim.requests.filter((request) => request.isMain)[1]?.newText ?? ''
  const order = ['| High.', '| First.', '| Second.', '| Low.'].map((text) => shown.indexOf(text))
  expect(order).toEqual(order.toSorted((a, b) => a - b))
  expect(order[0]).toBeGreaterThan(0)
})

test('a sub-agent does not eat it', async () => {
  const { sim, up, tell, reached } = await startRein()
  const call = { description: 'help', prompt: 'RUN:echo sub ;; SAY:sub done', subagent_type: 'general-purpose' }
  await up(`WAIT:told ;; CALL:Agent${JSON.stringify(call)} ;; SAY:done`)
  await sim.reached('told')
  const { id } = await tell('For the leader.')
  sim.release('told')
  await reached(id, 'acked')
  const sub = sim.requests.filter((request) => request.agentId !== undefined)
  const main = sim.requests.filter((request) => request.isMain && request.agentId === undefined)
  expect(sub.length).toBeGreaterThan(1)
  expect(sub.map((request) => shownIn(request, id))).toEqual(sub.map(() => 0))
  expect(shownIn(main[1], id)).toBe(1)
})

test('a claude that the agent starts itself does not eat it', async () => {
  const { sim, up, tell, reached, paths, daemonEnv, record } = await startRein()
  const nested = `${daemonEnv['REIN_CLAUDE_PATH']} -p 'SAY:nested' --plugin-dir ${paths.plugins}/claude-*`
  await up(`WAIT:told ;; RUN:${nested} ;; SAY:done`)
  await sim.reached('told')
  const { id } = await tell('For the agent alone.')
  sim.release('told')
  await reached(id, 'acked')
  const foreign = await record('agents', (one) => one.type === 'agent.foreign')
  const inner = sim.requests.filter(
    (request) => request.headers['x-claude-code-session-id'] === foreign.body.conversation,
  )
  expect(inner.length).toBeGreaterThan(0)
  expect(inner.map((request) => shownIn(request, id))).toEqual(inner.map(() => 0))
  const outer = sim.requests.filter((request) => request.isMain && !inner.includes(request))
  expect(shownIn(outer[1], id)).toBe(1)
})
