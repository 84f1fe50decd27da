import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsOf, post, recorded, type Sse } from '../../../test/support/sim-harness.ts'
import { type Sim, startSim } from '../server.ts'
import { compactionSummary } from '../side.ts'

let sim: Sim
beforeEach(async () => {
  sim = await startSim()
})
afterEach(() => sim.close())

const ask = (input: unknown, more: Record<string, unknown> = {}) => {
  const request = recorded('codex')
  return post(sim, { ...request, body: { ...request.body, input, ...more } })
}
const developer = (text: string) => ({ type: 'message', role: 'developer', content: [{ type: 'input_text', text }] })
const user = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text }] })

const items = (events: Sse[]) =>
  events.flatMap(({ event, data }) => (event === 'response.output_item.done' ? [data['item']] : []))

test('streams every item with its pieces, then the whole', async () => {
  const events = await eventsOf(await ask('THINK:hm ;; SAY:all done'))
  expect(events.map(({ event }) => event)).toEqual([
    'response.created',
    'response.output_item.added',
    'response.reasoning_summary_part.added',
    'response.reasoning_summary_text.delta',
    'response.reasoning_summary_text.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    'response.output_text.delta',
    'response.output_text.delta',
    'response.output_text.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(events.map(({ data }) => data['sequence_number'])).toEqual(events.map((_, index) => index))
  expect(events.every(({ event, data }) => data['type'] === event)).toBe(true)
  const usage = { input_tokens: expect.any(Number) as number, output_tokens: expect.any(Number) as number }
  expect(events.at(-1)?.data).toMatchObject({ response: { status: 'completed', output: items(events), usage } })
})

test.each(['mcp__inbox__check', 'check'])('%s is called in its namespace', async (name) => {
  const tools = [
    { type: 'function', name: 'exec_command' },
    { type: 'namespace', name: 'mcp__inbox', tools: [{ type: 'function', name: 'check' }] },
    { type: 'web_search' },
  ]
  const events = await eventsOf(await ask(`PAR:CALL:${name}{"n":1} && RUN:ls`, { tools }))
  expect(items(events)).toMatchObject([
    { type: 'function_call', namespace: 'mcp__inbox', name: 'check', arguments: '{"n":1}' },
    { type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}' },
  ])
})

test('the first developer message is the system prompt, later ones are what hooks say', async () => {
  const context = user('<environment_context>\nSAY:not me\n</environment_context>')
  const hook = developer('SAY:nor me')
  await ask([developer('be good'), developer('at the start'), context, user('SAY:mine'), hook])
  const [request] = sim.requests
  expect(request).toMatchObject({ systemText: 'be good', reply: 'SAY:mine' })
  expect(request?.newText).toMatch(/^at the start\n[^]*SAY:mine\nSAY:nor me$/)
})

test('a failure in the stream is a failed response', async () => {
  const events = await eventsOf(await ask('THINK:hm ;; LIMIT'))
  const response = { status: 'failed', error: { code: 'rate_limit_exceeded' } }
  expect(events.at(-1)).toMatchObject({ event: 'response.failed', data: { response } })
})

test('a usage limit says when it is over', async () => {
  const response = await ask('QUOTA:60')
  const error = { type: 'usage_limit_reached', resets_in_seconds: 60, resets_at: expect.any(Number) as number }
  expect(await response.json()).toMatchObject({ error })
  expect(response.headers.get('x-codex-primary-used-percent')).toBe('100')
})

test('threads have their own place in a script', async () => {
  const request = recorded('codex')
  for (const thread of ['a', 'b', 'a']) {
    const body = { ...request.body, input: 'SAY:one ;; SAY:two' }
    await post(sim, { ...request, headers: { 'thread-id': thread }, body })
  }
  expect(sim.requests.map(({ reply }) => reply)).toEqual(['SAY:one', 'SAY:one', 'SAY:two'])
})

test('a prompt that a compaction has kept is not begun again, but may be said again', async () => {
  const prompt = user('RUN:ls')
  const compact = user('You are performing a CONTEXT CHECKPOINT compactionPrompt.')
  const summary = user(`Another language model began: ${compactionSummary}`)
  for (const input of [[prompt], [prompt, compact], [prompt, summary], [prompt, summary, prompt]]) await ask(input)
  expect(sim.requests.map(({ kind, reply }) => (kind === 'compaction' ? kind : reply))).toEqual([
    'RUN:ls',
    'compaction',
    'SAY:ok',
    'RUN:ls',
  ])
})
