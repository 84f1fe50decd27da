import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsOf, post, recorded, type Sse } from '../../../test/support/sim-harness.ts'
import { type Sim, startSim } from '../server.ts'

let sim: Sim
beforeEach(async () => {
  sim = await startSim()
})
afterEach(() => sim.close())

const ask = (name: string, messages: unknown[], more: Record<string, unknown> = {}) => {
  const request = recorded(name)
  return post(sim, { ...request, body: { ...request.body, messages, ...more } })
}
const user = (content: unknown) => ({ role: 'user', content })

const choices = (events: Sse[]) => events.flatMap(({ data }) => data['choices'] as { delta: object }[])

test('streams thoughts, text and the usage', async () => {
  const response = await ask('opencode', [user('THINK:hm ;; SAY:all done')])
  const events = await eventsOf(response)
  expect(choices(events)).toMatchObject([
    { delta: { role: 'assistant' } },
    { delta: { reasoning_content: 'hm' } },
    { delta: { content: 'all' } },
    { delta: { content: ' done' }, finish_reason: null },
    { delta: {}, finish_reason: 'stop' },
  ])
  const total = expect.any(Number) as number
  expect(events.at(-1)?.data).toMatchObject({ choices: [], usage: { total_tokens: total } })
})

test('ends the stream with [DONE]', async () => {
  expect(await (await ask('opencode', [user('SAY:x')])).text()).toMatch(/\n\ndata: \[DONE\]\n\n$/)
})

test('parallel calls have their own index', async () => {
  const events = await eventsOf(await ask('copilot', [user('PAR:RUN:ls && CALL:view{"path":"/a"}')]))
  const calls = choices(events).flatMap(({ delta }) => ('tool_calls' in delta ? (delta.tool_calls as object[]) : []))
  expect(calls).toMatchObject([
    { index: 0, type: 'function', function: { name: 'bash', arguments: '' } },
    { index: 0 },
    { index: 0 },
    { index: 1, function: { name: 'view' } },
    { index: 1, function: { arguments: '{"path"' } },
    { index: 1, function: { arguments: ':"/a"}' } },
  ])
  expect(choices(events).at(-1)).toMatchObject({ finish_reason: 'tool_calls' })
})

test.each([
  ['mcp__inbox__check', 'inbox-check'],
  ['mcp__inbox__check', 'inbox_check'],
])('%s is found as %s', async (script, name) => {
  const tools = [{ type: 'function', function: { name } }]
  const response = await ask('copilot', [user(`CALL:${script}{}`)], { tools, stream: false })
  const message = { content: null, tool_calls: [{ function: { name, arguments: '{}' } }] }
  expect(await response.json()).toMatchObject({ choices: [{ message, finish_reason: 'tool_calls' }] })
})

test('what hooks say beside a prompt is no prompt', async () => {
  const hook = user('Additional context from preToolUse hook:\nSAY:not me')
  const prompt = user(
    '<current_datetime>now</current_datetime>\n\nSAY:mine\n\n<system_reminder>\nSAY:nor me\n</system_reminder>',
  )
  await ask('copilot', [prompt, hook])
  expect(sim.requests[0]).toMatchObject({ reply: 'SAY:mine' })
  expect(sim.requests[0]?.newText).toContain('SAY:nor me')
})

test('a prompt in parts and one in quotes are prompts', async () => {
  await ask('opencode', [user([{ type: 'text', text: 'RUN:a ;; SAY:b' }])])
  await ask('opencode', [user(String.raw`"CALL:read{\"filePath\":\"/a\"} ;; SAY:b"` + '\n\nmore')])
  expect(sim.requests.map(({ reply }) => reply)).toEqual(['RUN:a', 'CALL:read{"filePath":"/a"}'])
})
