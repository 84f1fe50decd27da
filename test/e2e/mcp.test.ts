import { expect, test } from 'vitest'
import { cliNamed } from '../support/clis.ts'
import { startRein } from './harness.ts'

const acksByMcp = String.raw`on <rein-directive id="(dir_[0-9a-f-]+)" do CALL:mcp__rein__ack_directive{"id":"$1","note":"by MCP"}`

test('an agent acknowledges by the MCP tool it was launched with', async () => {
  const { sim, up, tell, reached } = await startRein({ scenario: acksByMcp })
  await up('WAIT:told ;; RUN:echo work ;; SAY:done')
  await sim.reached('told')
  const { id } = await tell('Use tabs.')
  sim.release('told')
  const { steps } = await reached(id, 'acked')
  expect(steps.map(({ state }) => state)).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
  expect(steps.at(-1)).toMatchObject({ note: 'by MCP', evidence: { detail: 'ack_directive by worker' } })
})

test('its MCP tools work with the next daemon as with the one that launched it', async () => {
  const { sim, client, up, tell, reached, killDaemon } = await startRein({ scenario: acksByMcp })
  await up('WAIT:told ;; RUN:echo work ;; SAY:done')
  await sim.reached('told')
  const { id } = await tell('Use tabs.')
  await killDaemon()
  await client.hello()
  sim.release('told')
  expect((await reached(id, 'acked')).steps.at(-1)?.evidence?.detail).toBe('ack_directive by worker')
})

test('what an agent reads by MCP is proven by its transcript', async () => {
  const scenario = String.raw`on Read the rest before you act on it: rein inbox read (dir_[0-9a-f-]+) do CALL:mcp__rein__read_inbox{"id":"$1"}`
  const { sim, up, tell, until } = await startRein({ scenario })
  await up('WAIT:told ;; RUN:echo work ;; SAY:done')
  await sim.reached('told')
  const lines = Array.from({ length: 400 }, (_, index) => `line ${index} ${'x'.repeat(40)}`)
  const { id } = await tell(lines.join('\n'))
  sim.release('told')
  const { steps } = await until(id, (receipt) => receipt.state === 'seen')
  expect(steps.filter((step) => step.via === 'read').map((step) => step.parts)).toEqual([[2, 3]])
  const received = sim.requests.at(-1)?.text ?? ''
  expect(lines.filter((line) => !received.includes(`| ${line}\n`))).toEqual([])
})

test('an agent asks for its own context, log and inbox without naming itself', async () => {
  const { sim, client, cwd, up, tell } = await startRein({ scenario: '' })
  await up('SAY:ready')
  await up(
    'RUN:echo first ;; WAIT:told ;; RUN:rein session context && rein logs -n 3 && rein inbox ;; SAY:done',
    {},
    {
      handle: 'second',
    },
  )
  await sim.reached('told')
  const [own, foreign] = [await tell('For second.', { target: 'second' }), await tell('For worker.')]
  sim.release('told')
  const answer = await sim.next((request) => request.text.includes('tokens in context'))
  const output = answer.text.slice(answer.text.lastIndexOf('second: '))
  expect(output).toMatch(/^second: \d+ tokens in context, \d+ % of 1000000 \(claude-/)
  expect(output).toContain('echo first')
  expect([output.includes(own.id), output.includes(foreign.id)]).toEqual([true, false])
  expect(await client.context({ target: 'second', cwd })).toMatchObject({ handle: 'second', window: 1_000_000 })
})

const all = ['claude', 'codex', 'copilot', 'gemini', 'opencode']

test.each(all)('%s reads and writes in its team by the tools, and nobody is asked', async (name) => {
  const { sim, client, cwd, up } = await startRein({ cli: cliNamed(name), scenario: '' })
  const here = { cwd, room: 'build' }
  await client.createRoom(here)
  const calls = [
    'chat_read{"room":"build"}',
    'bus_read{}',
    'bus_publish{"type":"task-complete","to":"worker"}',
    'bus_ack{"ids":["evt_none"]}',
    'chat_send{"room":"build","text":"I am."}',
  ]
  await up(['WAIT:said', ...calls.map((call) => `CALL:mcp__rein__${call}`), 'SAY:done'].join(' ;; '), {
    autoApprove: false,
  })
  await sim.reached('said')
  await client.post({ ...here, text: 'Who is there?' })
  sim.release('said')
  for await (const { posts } of client.followRooms(here)) if (posts.some(({ text }) => text === 'I am.')) break
  const [member] = (await client.members(here)).filter(({ handle }) => handle === 'worker')
  expect(member).toMatchObject({ cursor: 2, unread: 0 })
  expect((await client.events({ cwd, all: true })).events.map(({ type }) => type)).toContain('task-complete')
})
