import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { LaunchPlan, Opening } from '../contract/host.ts'
import { type AcpOptions, acpSession } from './acp.ts'
import type { StreamEvent, StreamSession } from './contract.ts'

interface Message {
  id?: string | number
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: unknown
}

const options: AcpOptions = {
  title: 'Some CLI',
  resume: 'session/load',
  whenBusy: 'keep',
  live: { inputComes: 'with call', tokensOf: 'turn' },
  authenticate: () => null,
  configure: () => [],
}
const opening: Opening = { from: { kind: 'new' }, model: null, mode: null }
const plan = (given: Partial<Opening> = {}): LaunchPlan => ({
  command: 'cli',
  args: [],
  env: { REIN_TOKEN: 'secret' },
  cwd: '/home/dev/app',
  conversation: null,
  firstPrompt: null,
  files: [],
  opening: { ...opening, ...given },
})

/** A session and the other end of its line, which answers what it is asked. */
const connect = (given: Partial<AcpOptions> = {}, answers: Record<string, unknown> = {}) => {
  const sent: Message[] = []
  const events: StreamEvent[] = []
  let count = 0
  const results: Record<string, unknown> = { initialize: {}, 'session/new': { sessionId: 's1' }, ...answers }
  const session: StreamSession = acpSession(
    { ...options, ...given },
    async (line) => {
      expect(line).toMatch(/^[^\n]+\n$/)
      const message: Message = JSON.parse(line)
      sent.push(message)
      const { id, method } = message
      if (method === undefined || method === 'session/prompt' || id === undefined) return
      setImmediate(() => say(method in results ? { id, result: results[method] } : { id, result: {} }))
    },
    () => String((count += 1)),
  )
  const say = (message: Message): StreamEvent[] => {
    const heard = session.receive(JSON.stringify({ jsonrpc: '2.0', ...message }))
    events.push(...heard)
    return heard
  }
  const update = (sessionUpdate: string, more: object = {}): StreamEvent[] =>
    say({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate, ...more } } })
  const ask = (id: string | number, call: string): StreamEvent[] =>
    say({
      id,
      method: 'session/request_permission',
      params: { sessionId: 's1', toolCall: toolCall(call), options: permissions },
    })
  const prompts = () => sent.filter(({ method }) => method === 'session/prompt')
  return { session, sent, events, say, update, ask, prompts }
}

const begun = async (given: Partial<AcpOptions> = {}, answers: Record<string, unknown> = {}) => {
  const connection = connect(given, answers)
  await connection.session.begin(plan())
  connection.sent.length = 0
  return connection
}

const toolCall = (toolCallId: string) => ({
  toolCallId,
  title: 'Clean up',
  kind: 'execute',
  rawInput: { command: 'rm -rf build' },
})
const permissions = [
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'once', name: 'Allow once', kind: 'allow_once' },
  { optionId: 'no', name: 'Deny', kind: 'reject_once' },
]
const question = { id: '7', kind: 'permission', tool: 'execute', input: { command: 'rm -rf build' } } as const
const asked = { ...question, summary: 'Clean up: rm -rf build' }
const states = (events: readonly StreamEvent[]): string[] =>
  events.flatMap((event) => (event.kind === 'state' ? [event.state] : []))
const promptText = ({ params }: Message): unknown => (params?.['prompt'] as { text: string }[] | undefined)?.[0]?.text

describe('the beginning', () => {
  test('says hello without offering anything, and opens a conversation with the server of Rein', async () => {
    const { session, sent, events } = connect()
    await session.begin(plan())
    expect(sent).toMatchObject([
      {
        id: 'rein:initialize:1',
        method: 'initialize',
        params: {
          protocolVersion: 1,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        },
      },
      { id: 'rein:open:new:2', method: 'session/new', params: { cwd: '/home/dev/app' } },
    ])
    expect(sent[1]?.params?.['mcpServers']).toEqual([])
    expect(events).toMatchObject([
      { kind: 'activity' },
      { kind: 'conversation', conversation: 's1' },
      { kind: 'state', state: 'idle' },
    ])
  })

  test('a conversation is taken up under the id that it had, and what is told before is history', async () => {
    const { session, sent, events, update } = connect({ resume: 'session/resume' })
    const ready = session.begin(plan({ from: { kind: 'resume', conversation: 's1' } }))
    expect(update('agent_message_chunk')).toEqual([{ kind: 'activity' }])
    await ready
    expect(sent[1]).toMatchObject({ method: 'session/resume', params: { sessionId: 's1', mcpServers: [] } })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'conversation', conversation: 's1' }))
  })

  test('a fork gets an id of its own', async () => {
    const { session, sent, events } = connect({}, { 'session/fork': { sessionId: 's2' } })
    await session.begin(plan({ from: { kind: 'fork', conversation: 's1' } }))
    expect(sent[1]).toMatchObject({ method: 'session/fork', params: { sessionId: 's1' } })
    expect(events).toContainEqual(expect.objectContaining({ kind: 'conversation', conversation: 's2' }))
  })

  test('logs in where it must, and sets what is to be set', async () => {
    const methods = { authMethods: [{ id: 'browser' }, { id: 'key' }] }
    const { session, sent } = connect(
      {
        authenticate: (known) => known.find((one) => one === 'key') ?? null,
        configure: ({ mode }, opened) => [
          { method: 'session/set_mode', params: { modeId: `${mode}/${String(opened.sessionId)}` } },
        ],
      },
      { initialize: methods },
    )
    await session.begin(plan({ mode: 'plan' }))
    expect(sent.map(({ method }) => method)).toEqual(['initialize', 'authenticate', 'session/new', 'session/set_mode'])
    expect(sent[1]?.params).toEqual({ methodId: 'key' })
    expect(sent[3]?.params).toEqual({ sessionId: 's1', modeId: 'plan/s1' })
  })

  test('what goes wrong is told in the words of the CLI', async () => {
    const { session, say } = connect()
    const failing = session.begin(plan())
    say({
      id: 'rein:initialize:1',
      error: { code: -32000, message: 'Authentication required', data: { details: 'no key' } },
    })
    await expect(failing).rejects.toEqual(
      expect.objectContaining({ code: 'failed', message: 'Some CLI: Authentication required: no key' }),
    )
  })

  test('before it nothing can be said', async () => {
    await expect(connect().session.prompt('Hello')).rejects.toEqual(expect.objectContaining({ code: 'not_running' }))
  })
})

describe('a turn', () => {
  test('begins with a prompt and ends with its answer', async () => {
    const { session, sent, say, update } = await begun()
    await session.prompt('Look\naround')
    expect(sent).toMatchObject([
      {
        method: 'session/prompt',
        params: { sessionId: 's1', prompt: [{ type: 'text', text: 'Look\naround' }] },
      },
    ])
    expect(sent[0]?.id).toMatch(/^rein:prompt:/)
    expect(states(update('agent_thought_chunk'))).toEqual(['working'])
    expect(update('usage_update')).toEqual([{ kind: 'activity' }])
    expect(states(say({ id: sent[0]?.id ?? '', result: { stopReason: 'end_turn' } }))).toEqual(['idle'])
    expect(update('agent_message_chunk')).toEqual([{ kind: 'activity' }])
  })

  test.each([
    ['idle', { code: -32603, message: 'Internal error' }],
    ['limited', { code: -32603, message: 'Internal error', data: { details: 'Rate limit reached' } }],
    ['limited', { code: 429, message: 'You exceeded your current quota' }],
  ])('may end as %s: %j', async (state, error) => {
    const { session, prompts, say } = await begun()
    await session.prompt('Look')
    expect(states(say({ id: prompts()[0]?.id ?? '', error }))).toEqual([state])
  })

  test('what other sessions of the process do is activity', async () => {
    const { say } = await begun()
    const update = { sessionUpdate: 'tool_call' }
    expect(say({ method: 'session/update', params: { sessionId: 'other', update } })).toEqual([{ kind: 'activity' }])
  })
})

describe('a prompt for a busy agent', () => {
  test('is kept until the turn has ended, one after the other', async () => {
    const { session, prompts, say } = await begun()
    for (const text of ['one', 'two', 'three']) await session.prompt(text)
    expect(prompts().map(promptText)).toEqual(['one'])
    expect(states(say({ id: prompts()[0]?.id ?? '', result: { stopReason: 'end_turn' } }))).toEqual(['working'])
    expect(prompts().map(promptText)).toEqual(['one', 'two'])
    say({ id: prompts()[1]?.id ?? '', result: { stopReason: 'end_turn' } })
    expect(states(say({ id: prompts()[2]?.id ?? '', result: { stopReason: 'end_turn' } }))).toEqual(['idle'])
  })

  test('is sent at once where the CLI queues it itself, and the last answer ends the work', async () => {
    const { session, prompts, say } = await begun({ whenBusy: 'send' })
    for (const text of ['one', 'two']) await session.prompt(text)
    expect(prompts()).toHaveLength(2)
    const ends = prompts().map(({ id }) => say({ id: id ?? '', result: { stopReason: 'end_turn' } }))
    expect(ends.map(states)).toEqual([['working'], ['idle']])
  })
})

describe('a permission', () => {
  test('is asked for with what is to be decided', async () => {
    const { ask } = await begun()
    expect(ask(7, 'call-1')).toMatchObject([{ kind: 'asked', question: asked, call: 'call-1' }])
  })

  test('to leave the plan mode is a plan', async () => {
    const { say } = await begun()
    const plans = { toolCall: { title: 'Ready?', kind: 'switch_mode', rawInput: { plan: '1. Look' } }, options: [] }
    expect(say({ id: 1, method: 'session/request_permission', params: plans })).toMatchObject([
      { question: { kind: 'plan', summary: 'Ready?: 1. Look' }, call: null },
    ])
  })

  test.each([
    [{ kind: 'allow' as const }, { outcome: 'selected', optionId: 'once' }],
    [
      { kind: 'deny' as const, message: null },
      { outcome: 'selected', optionId: 'no' },
    ],
    [
      { kind: 'text' as const, text: 'Always allow' },
      { outcome: 'selected', optionId: 'always' },
    ],
    [
      { kind: 'text' as const, text: '1' },
      { outcome: 'selected', optionId: 'always' },
    ],
    [
      { kind: 'text' as const, text: 'Deny' },
      { outcome: 'selected', optionId: 'no' },
    ],
  ])('is answered by %j with an option', async (answer, outcome) => {
    const { session, sent, ask } = await begun()
    ask(7, 'call-1')
    await session.answer(asked, answer)
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, result: { outcome } }])
  })

  test('is denied with a text, which follows as a prompt', async () => {
    const { session, sent, prompts, ask } = await begun()
    ask('seven', 'call-1')
    await session.answer({ ...asked, id: 'seven' }, { kind: 'text', text: 'Use mv.' })
    expect(sent[0]).toMatchObject({ id: 'seven', result: { outcome: { optionId: 'no' } } })
    expect(prompts().map(promptText)).toEqual(['Use mv.'])
  })

  test('is denied by a policy, whose reason is not worth a turn', async () => {
    const { session, prompts, ask } = await begun()
    ask(7, 'call-1')
    await session.answer(asked, { kind: 'deny', message: 'By policy.' })
    expect(prompts()).toEqual([])
  })

  test('without an option for that is cancelled', async () => {
    const { session, sent, say } = await begun()
    say({ id: 7, method: 'session/request_permission', params: { toolCall: toolCall('c'), options: [] } })
    await session.answer(asked, { kind: 'deny', message: null })
    expect(sent).toMatchObject([{ id: 7, result: { outcome: { outcome: 'cancelled' } } }])
  })

  const narrow = [
    { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
    { optionId: 'mode', name: 'Allow and stay', kind: 'some_once' },
    { optionId: 'never', name: 'Never', kind: 'reject_always' },
  ]

  test('that could only be given for ever is left to a person, who names it', async () => {
    const { session, sent, say } = await begun()
    say({ id: 7, method: 'session/request_permission', params: { toolCall: toolCall('c'), options: narrow } })
    const refusal = { code: 'refused', hint: 'Name what is to be done: 1. Always allow, 2. Allow and stay, 3. Never' }
    await expect(session.answer(asked, { kind: 'allow' })).rejects.toMatchObject(refusal)
    expect(sent).toEqual([])
    await session.answer(asked, { kind: 'text', text: 'Always allow' })
    expect(sent).toMatchObject([{ id: 7, result: { outcome: { optionId: 'always' } } }])
  })

  test('is denied for ever where it cannot be once', async () => {
    const { session, sent, say } = await begun()
    say({ id: 7, method: 'session/request_permission', params: { toolCall: toolCall('c'), options: narrow } })
    await session.answer(asked, { kind: 'deny', message: null })
    expect(sent).toMatchObject([{ id: 7, result: { outcome: { optionId: 'never' } } }])
  })

  test('is settled by what becomes of its call, and then there is nothing to answer', async () => {
    const { session, ask, update } = await begun()
    await session.prompt('Clean up')
    ask(7, 'call-1')
    expect(states(update('tool_call_update', { toolCallId: 'call-1', status: 'pending' }))).toEqual(['working'])
    expect(update('tool_call_update', { toolCallId: 'call-1', status: 'in_progress' })[0]).toEqual({
      kind: 'settled',
      ids: ['call-1'],
    })
    await expect(session.answer(asked, { kind: 'allow' })).rejects.toEqual(
      expect.objectContaining({ code: 'nothing_to_answer' }),
    )
  })

  test('is cancelled by an interrupt', async () => {
    const { session, sent, ask } = await begun()
    ask(7, 'call-1')
    await session.interrupt()
    expect(sent).toMatchObject([
      { method: 'session/cancel', params: { sessionId: 's1' } },
      { id: 7, result: { outcome: { outcome: 'cancelled' } } },
    ])
    expect(sent[0]).not.toHaveProperty('id')
  })
})

test('what Rein does not offer is refused', async () => {
  const { sent, say } = await begun()
  expect(say({ id: 3, method: 'fs/read_text_file', params: {} })).toEqual([{ kind: 'activity' }])
  expect(sent).toMatchObject([{ id: 3, error: { code: -32601 } }])
})

test('garbage of any kind is activity', () => {
  const kinds = ['activity', 'state', 'conversation', 'asked', 'settled']
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      for (const { kind } of connect().session.receive(line)) expect(kinds).toContain(kind)
    }),
  )
  expect(connect().session.receive('[1, 2]')).toEqual([{ kind: 'activity' }])
})

describe('whoever takes over a process', () => {
  const recorded = (name: string): string[] =>
    readFileSync(join(import.meta.dirname, '../../test/fixtures/copilot/1.0.102', `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
  /** All that the CLI has said up to the given kind of line. */
  const replay = (lines: readonly string[]) => {
    const connection = connect()
    const events = lines.flatMap((line) => connection.session.receive(line))
    return { ...connection, events }
  }

  test('comes to the same state without a word', () => {
    const { events, sent } = replay(recorded('acp'))
    const told = states(events).filter((state, index, all) => state !== all[index - 1])
    expect(told).toEqual(['idle', ...Array.from({ length: 7 }, () => ['working', 'idle']).flat()])
    expect(events.filter(({ kind }) => kind === 'asked')).toHaveLength(3)
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'conversation', conversation: '851a9197-089f-4188-aa31-a89294db0fa7' }),
    )
    expect(sent).toEqual([])
  })

  test('can answer what was asked before', async () => {
    const lines = recorded('acp')
    const until = lines.findIndex((line) => line.includes('session/request_permission'))
    const { session, sent, events } = replay(lines.slice(0, until + 1))
    const open = events.find((event) => event.kind === 'asked')
    expect(open?.question).toMatchObject({ tool: 'execute', summary: 'Run the scripted command: touch a1' })
    await session.answer(open?.question ?? asked, { kind: 'allow' })
    expect(sent).toMatchObject([{ id: 0, result: { outcome: { outcome: 'selected', optionId: 'allow_once' } } }])
  })

  test('keeps a prompt while the turn that somebody else began goes on', async () => {
    const lines = recorded('acp')
    const until = lines.findIndex((line) => line.includes('"tool_call"'))
    const { session, prompts } = replay(lines.slice(0, until + 1))
    await session.prompt('And then?')
    expect(prompts()).toEqual([])
    for (const line of lines.slice(until + 1)) session.receive(line)
    expect(prompts().map(promptText)).toEqual(['And then?'])
  })

  test('takes no history for work', () => {
    const { events } = replay(recorded('acp-resumed'))
    expect(states(events)).toEqual(['idle', 'working', 'idle'])
  })

  test('refuses nothing that may have been refused before', () => {
    const { session, sent } = connect()
    session.receive('{"jsonrpc":"2.0","id":3,"method":"fs/read_text_file","params":{}}')
    expect(sent).toEqual([])
  })
})
