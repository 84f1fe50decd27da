import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Sim, startSim } from './server.ts'

let sim: Sim
beforeEach(async () => {
  sim = await startSim()
})
afterEach(() => sim.close())

interface Event {
  type: string
  [field: string]: unknown
}

const post = (prompt: string, more: Record<string, unknown> = {}, signal?: AbortSignal) =>
  fetch(`${sim.url}/v1/messages?beta=true`, {
    method: 'POST',
    headers: { 'x-claude-code-agent-id': 'a1', 'x-api-key': 'secret' },
    body: JSON.stringify({
      model: 'claude-test',
      stream: true,
      tools: [{ name: 'Bash' }],
      system: 'be good',
      messages: [{ role: 'user', content: prompt }],
      ...more,
    }),
    ...(signal === undefined ? {} : { signal }),
  })

async function events(response: Response): Promise<Event[]> {
  const text = await response.text()
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data = '']) => {
    const event: Event = JSON.parse(data)
    expect(event.type).toBe(name)
    return event
  })
}

const deltas = (all: Event[], index: number) =>
  all.flatMap((event) => (event.type === 'content_block_delta' && event['index'] === index ? [event['delta']] : []))

test('streams thinking and parallel tools as the API does', async () => {
  const all = await events(await post('THINK:let me see ;; PAR:RUN:ls && CALL:Read{"file_path":"/a"}'))
  const block = (deltaCount: number) => [
    'content_block_start',
    ...Array.from({ length: deltaCount }, () => 'content_block_delta'),
    'content_block_stop',
  ]
  expect(all.map(({ type }) => type)).toEqual([
    'message_start',
    'ping',
    ...block(4),
    ...block(2),
    ...block(2),
    'message_delta',
    'message_stop',
  ])
  expect(all[0]).toMatchObject({ message: { model: 'claude-test', content: [], stop_reason: null } })
  expect(deltas(all, 0)).toMatchObject([
    { type: 'thinking_delta', thinking: 'let' },
    { thinking: ' me' },
    { thinking: ' see' },
    { type: 'signature_delta', signature: expect.stringMatching(/./) },
  ])
  expect(all.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
})

test('answers in one piece when no stream is asked for', async () => {
  const response = await post('PAR:RUN:ls && CALL:Read{"file_path":"/a"}', { stream: false })
  expect(await response.json()).toMatchObject({
    type: 'message',
    stop_reason: 'tool_use',
    content: [
      { type: 'tool_use', name: 'Bash', input: { command: 'ls' } },
      { type: 'tool_use', name: 'Read', input: { file_path: '/a' } },
    ],
  })
})

test.each([
  ['ERROR:400:no such thing', 400, 'invalid_request_error', null],
  ['ERROR:500', 500, 'api_error', null],
  ['ERROR:529', 529, 'overloaded_error', null],
  ['LIMIT', 429, 'rate_limit_error', '1'],
  ['LIMIT:7', 429, 'rate_limit_error', '7'],
])('%s is an API error', async (script, status, type, retryAfter) => {
  const response = await post(script)
  expect(response.status).toBe(status)
  expect(response.headers.get('retry-after')).toBe(retryAfter)
  expect(await response.json()).toMatchObject({ type: 'error', error: { type } })
})

test('QUOTA says when the limit of the account is over', async () => {
  const { headers } = await post('QUOTA:60')
  expect(headers.get('anthropic-ratelimit-unified-status')).toBe('rejected')
  expect(Number(headers.get('anthropic-ratelimit-unified-reset')) * 1000).toBeGreaterThan(Date.now())
})

test('an error after the first event is an event', async () => {
  const all = await events(await post('THINK:hm ;; ERROR:529'))
  expect(all.at(-1)).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
})

test.each([true, false])('DROP breaks the connection (stream: %s)', async (stream) => {
  await expect(post('DROP', { stream }).then((response) => response.text())).rejects.toThrow(/terminated|fetch failed/)
  const request = await sim.next(() => true)
  expect(await request.outcome).toBe('aborted')
  expect(request.aborted).toBe(true)
})

test('SLOW sends the whole text in pieces', async () => {
  const all = await events(await post('SLOW:0.01:one two'))
  expect(deltas(all, 0)).toEqual([
    { type: 'text_delta', text: 'one' },
    { type: 'text_delta', text: ' two' },
  ])
})

test('WAIT holds the reply until it is released', async () => {
  const response = post('WAIT:go ;; SAY:gone', { stream: false })
  const held = await sim.next(({ reply }) => reply.startsWith('WAIT:go'))
  const other = await post('SAY:meanwhile')
  expect(await Promise.race([held.outcome, other.text()])).toContain('meanwhile')
  sim.release('go')
  expect(await (await response).json()).toMatchObject({ content: [{ text: 'gone' }] })
  expect(await held.outcome).toBe('answered')
})

test.each(['WAIT:never', 'SLOW:600:one two'])('a client that leaves during %s is recorded', async (script) => {
  const leave = new AbortController()
  const response = post(script, {}, leave.signal).then((answer) => answer.text())
  const request = await sim.next(() => true)
  leave.abort()
  await expect(response).rejects.toThrow('abort')
  expect(await request.outcome).toBe('aborted')
})

test('records what the model received', async () => {
  await post('', {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'RUN:ls' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'a file' }] }],
      },
      { role: 'system', content: 'a directive' },
    ],
  })
  const request = await sim.next(({ newText }) => newText === 'a file\na directive')
  expect(request).toMatchObject({ index: 0, method: 'POST', path: '/v1/messages?beta=true', isMain: true })
  expect(request).toMatchObject({ agentId: 'a1', kind: 'default', reply: 'SAY:ok', systemText: 'be good' })
  expect(request.text).toBe('RUN:ls\n\na file\na directive')
  expect(request.headers).not.toHaveProperty('x-api-key')
})

test('next looks from an index on, and gives up when the model is closed', async () => {
  await post('SAY:a')
  expect((await sim.next(() => true)).index).toBe(0)
  const second = sim.next(() => true, 1)
  await post('SAY:b')
  expect((await second).index).toBe(1)
  const never = sim.next(() => false)
  await Promise.all([expect(never).rejects.toThrow('closed'), sim.close()])
})

test('serves the other addresses a client asks, and says what it does not serve', async () => {
  expect((await fetch(sim.url, { method: 'HEAD' })).status).toBe(200)
  const models = await fetch(`${sim.url}/v1/models?limit=1000`)
  expect(await models.json()).toMatchObject({ has_more: false, first_id: 'claude-opus-4-8' })
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })
  const counted = await fetch(`${sim.url}/v1/messages/count_tokens`, { method: 'POST', body })
  expect(await counted.json()).toEqual({ input_tokens: Math.ceil(body.length / 4) })
  expect((await fetch(`${sim.url}/v1/files`)).status).toBe(404)
  expect((await fetch(`${sim.url}/v1/messages`, { method: 'POST', body: '{"model"' })).status).toBe(400)
  expect(sim.requests).toEqual([])
})

test('a session of Claude Code stays the same conversation when its user id changes', async () => {
  const ask = async (user_id: string, messages: { role: string; content: string }[]): Promise<string | undefined> => {
    const headers = { 'x-claude-code-session-id': 's1' }
    const body = JSON.stringify({ model: 'm', tools: [{ name: 'Bash' }], metadata: { user_id }, messages })
    await (await fetch(`${sim.url}/v1/messages`, { method: 'POST', headers, body })).text()
    return sim.requests.at(-1)?.reply
  }
  const prompt = { role: 'user', content: 'RUN:ls ;; SAY:done' }
  expect(await ask('before', [prompt])).toBe('RUN:ls')
  expect(await ask('after', [prompt, { role: 'assistant', content: 'ls' }])).toBe('SAY:done')
})
