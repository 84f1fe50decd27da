import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsOf, post, recorded } from '../../../test/support/sim-harness.ts'
import { type Sim, startSim } from '../server.ts'

let sim: Sim
beforeEach(async () => {
  sim = await startSim()
})
afterEach(() => sim.close())

const ask = (contents: unknown[], more: Record<string, unknown> = {}) => {
  const request = recorded('gemini')
  return post(sim, { ...request, body: { ...request.body, contents, ...more } })
}
const user = (...texts: string[]) => ({ role: 'user', parts: texts.map((text) => ({ text })) })
const model = (text: string) => ({ role: 'model', parts: [{ text }] })

test('streams a thought and every call in one piece, then the usage', async () => {
  const events = await eventsOf(await ask([user('THINK:hm ;; PAR:RUN:ls && CALL:glob{"pattern":"*"}')]))
  const parts = (...some: object[]) => ({ candidates: [{ content: { role: 'model', parts: some } }] })
  expect(events.map(({ data }) => data)).toMatchObject([
    parts({ text: 'hm', thought: true }),
    parts({ functionCall: { name: 'run_shell_command', args: { command: 'ls' } } }),
    parts({ functionCall: { name: 'glob', args: { pattern: '*' } } }),
    { candidates: [{ finishReason: 'STOP' }], usageMetadata: { promptTokenCount: expect.any(Number) as number } },
  ])
})

test('a limit says when to come again', async () => {
  const error = { code: 429, status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '3s' }] }
  expect(await (await ask([user('LIMIT:3')])).json()).toMatchObject({ error })
})

test('a usage limit is a quota of the day', async () => {
  const details = [{ violations: [{ quotaId: expect.stringContaining('PerDay') as string }] }, { retryDelay: '60s' }]
  expect(await (await ask([user('QUOTA:60')])).json()).toMatchObject({ error: { details } })
})

test('what hooks say beside a prompt is no prompt', async () => {
  const context = '<session_context>\nSAY:not me\n</session_context>'
  await ask([
    user(context, '<hook_context>\nSAY:nor me\n</hook_context>\n\nSAY:mine', '<hook_context>more</hook_context>'),
  ])
  expect(sim.requests[0]?.reply).toBe('SAY:mine')
})

test('an MCP tool is found by the name that is the same for every CLI', async () => {
  const tools = [{ functionDeclarations: [{ name: 'mcp_inbox_check' }] }]
  const events = await eventsOf(await ask([user('CALL:mcp__inbox__check{}')], { tools }))
  expect(JSON.stringify(events[0])).toContain('"name":"mcp_inbox_check"')
})

test('a conversation is known by its beginning; the same beginning without its reply is another', async () => {
  const prompt = user('ERROR:500 ;; SAY:one ;; SAY:two')
  for (const contents of [[prompt], [prompt], [prompt, model('one'), user('go on')], [prompt]]) await ask(contents)
  expect(sim.requests.map(({ reply }) => reply)).toEqual(['ERROR:500', 'SAY:one', 'SAY:two', 'ERROR:500'])
})

test('counts tokens', async () => {
  const response = await fetch(`${sim.url}/v1beta/models/m:countTokens`, { method: 'POST', body: '{"contents":[]}' })
  expect(await response.json()).toEqual({ totalTokens: 4 })
})
