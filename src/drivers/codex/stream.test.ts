import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LaunchPlan, Opening } from '../../contract/host.ts'
import { parseObject } from '../../base/util/json.ts'
import type { StreamEvent } from '../contract.ts'
import { stream } from './stream.ts'

const lines = readFileSync(
  join(import.meta.dirname, '../../../test/fixtures/codex/0.166.0/app-server.jsonl'),
  'utf8',
).split('\n')
const thread = '01a1e21e-6a6f-72e3-b079-ea38374d5c76'

const session = () => {
  const sent: Record<string, unknown>[] = []
  let count = 0
  const one = stream(
    async (line) => void sent.push(parseObject(line) ?? {}),
    () => String((count += 1)),
  )
  const receive = (message: unknown): StreamEvent[] => one.receive(JSON.stringify(message))
  return { ...bound(one), receive, sent }
}
const bound = (one: ReturnType<typeof stream>) => ({
  begin: (plan: LaunchPlan) => one.begin(plan),
  prompt: (text: string) => one.prompt(text),
  interrupt: () => one.interrupt(),
  answer: one.answer.bind(one),
})

const plan = (from: Opening['from']): LaunchPlan => ({
  command: 'codex',
  args: [],
  env: {},
  cwd: '/home/dev/project',
  conversation: null,
  firstPrompt: null,
  files: [],
  opening: { from, model: null, mode: null, skills: '/assets/skills' },
})

const opened = { id: 'rein:open:0', result: { thread: { id: thread } } }
const asked = (id: number, method: string, params: object) => ({ id, method, params: { threadId: thread, ...params } })
const command = (id: number) =>
  asked(id, 'item/commandExecution/requestApproval', {
    itemId: 'call_1',
    command: "/bin/bash -lc 'touch x'",
    reason: 'need it',
  })
const questionIn = (events: StreamEvent[]) => {
  const [event] = events
  if (event?.kind !== 'asked') throw new Error('nothing asked')
  return event
}

describe('a recorded session', () => {
  const told = () => {
    const one = stream(() => Promise.reject(new Error('nothing may be sent')))
    return lines.flatMap((line) => one.receive(line))
  }
  const states = told().flatMap((event) =>
    event.kind === 'state' ? event.state : event.kind === 'asked' ? 'asked' : [],
  )

  test('turns, questions, an interrupt and a server that is too busy', () => {
    const changes = states.filter((one, index) => one !== states[index - 1])
    const question = ['working', 'asked', 'working', 'idle']
    const expected = ['idle', 'working', 'idle', ...question, ...question, 'working', 'idle', 'working', 'idle']
    expect(changes).toEqual(expected)
  })

  test('which conversation it is', () => {
    expect(told().filter(({ kind }) => kind === 'conversation')).toMatchObject([{ conversation: thread }])
  })

  test('what was asked is settled when it is answered', () => {
    const ids = told().flatMap((event) => (event.kind === 'settled' ? event.ids : []))
    const questions = told().flatMap((event) => (event.kind === 'asked' ? event.question : []))
    expect(questions).toMatchObject([
      { id: '0', tool: 'Bash', summary: 'Bash: touch /home/dev/pa', input: { reason: 'need it' } },
      { id: '1', tool: 'Bash', summary: 'Bash: touch /home/dev/pb' },
    ])
    expect(ids).toEqual(['0', '1'])
  })
})

describe('beginning', () => {
  const begun = async (from: Opening['from']) => {
    const { begin, receive, sent } = session()
    const done = begin(plan(from))
    for (const id of ['rein:initialize:1', 'rein:skills:2', 'rein:open:3']) {
      receive({ id, result: { thread: { id: thread } } })
      await new Promise((resolve) => setImmediate(resolve))
    }
    await done
    return sent
  }

  test('says hello, names the skills and opens a conversation, never with a sandbox', async () => {
    const sent = await begun({ kind: 'new' })
    expect(sent.map(({ method }) => method)).toEqual([
      'initialize',
      'initialized',
      'skills/extraRoots/set',
      'thread/start',
    ])
    expect(sent[2]).toMatchObject({ params: { extraRoots: ['/assets/skills'] } })
    expect(sent[3]).toEqual({ id: 'rein:open:3', method: 'thread/start', params: { cwd: '/home/dev/project' } })
  })

  test.each(['resume', 'fork'] as const)('%s', async (kind) => {
    const sent = await begun({ kind, conversation: 'other' })
    const params = { threadId: 'other', cwd: '/home/dev/project', excludeTurns: true }
    expect(sent[3]).toEqual({ id: 'rein:open:3', method: `thread/${kind}`, params })
  })

  test('what Codex refuses is told', async () => {
    const { begin, receive } = session()
    const done = begin(plan({ kind: 'new' }))
    receive({ id: 'rein:initialize:1', error: { code: -1, message: 'no way' } })
    await expect(done).rejects.toThrow('Codex: no way')
  })
})

describe('speaking', () => {
  test('a prompt, and an interrupt of the turn that runs', async () => {
    const { prompt, interrupt, receive, sent } = session()
    await expect(prompt('early')).rejects.toThrow('not opened')
    receive(opened)
    await prompt('go')
    await interrupt()
    receive({ method: 'turn/started', params: { threadId: thread, turn: { id: 'turn-1' } } })
    await interrupt()
    expect(sent).toEqual([
      {
        id: 'rein:prompt:1',
        method: 'turn/start',
        params: { threadId: thread, input: [{ type: 'text', text: 'go', text_elements: [] }] },
      },
      { id: 'rein:interrupt:2', method: 'turn/interrupt', params: { threadId: thread, turnId: 'turn-1' } },
    ])
  })

  test.each([
    [{ kind: 'allow' } as const, 'accept', null],
    [{ kind: 'deny', message: null } as const, 'decline', null],
    [{ kind: 'deny', message: 'elsewhere' } as const, 'decline', 'elsewhere'],
    [{ kind: 'text', text: 'do y' } as const, 'decline', 'do y'],
  ])('%j to a command', async (answer, decision, words) => {
    const { answer: give, receive, sent } = session()
    receive(opened)
    const { question, call } = questionIn(receive(command(7)))
    const given = give(question, answer)
    if (words !== null) receive({ id: 'rein:steer:1', result: {} })
    await given
    expect(call).toBe('call_1')
    expect(question.input).toEqual({ command: 'touch x', reason: 'need it' })
    expect(sent.at(-1)).toEqual({ id: 7, result: { decision } })
    expect(sent.slice(0, -1)).toMatchObject(
      words === null ? [] : [{ method: 'turn/steer', params: { input: [{ text: words }] } }],
    )
    await expect(give(question, answer)).rejects.toThrow('Nobody waits')
  })

  test.each([
    ['item/fileChange/requestApproval', {}, { decision: 'accept' }],
    ['item/permissions/requestApproval', { permissions: { a: 1 } }, { permissions: { a: 1 }, scope: 'turn' }],
    ['mcpServer/elicitation/request', { serverName: 'x' }, { action: 'accept', content: {}, _meta: null }],
  ])('allow to %s', async (method, params, result) => {
    const { answer, receive, sent } = session()
    receive(opened)
    await answer(questionIn(receive(asked(3, method, params))).question, { kind: 'allow' })
    expect(sent).toEqual([{ id: 3, result }])
  })

  test('a question of the model is answered with words', async () => {
    const { answer, receive, sent } = session()
    receive(opened)
    const questions = [{ id: 'q1', question: 'Which color?', options: [{ label: 'Red' }] }]
    const { question } = questionIn(receive(asked(4, 'item/tool/requestUserInput', { questions })))
    expect(question).toMatchObject({ kind: 'question', summary: 'Which color?' })
    await answer(question, { kind: 'text', text: 'Blue' })
    expect(sent).toEqual([{ id: 4, result: { answers: { q1: { answers: ['Blue'] } } } }])
  })
})

test('a sub-agent has a thread of its own: it neither works nor stops for its leader', () => {
  const { receive } = session()
  receive(opened)
  const turn = { threadId: 'another', turn: { id: 't', status: 'completed' } }
  expect(receive({ method: 'turn/started', params: turn })).toEqual([{ kind: 'activity' }])
  expect(receive({ method: 'turn/completed', params: turn })).toEqual([{ kind: 'activity' }])
})

test('requests that Rein does not offer are refused by who started the process, and by nobody later', async () => {
  const late = session()
  late.receive({ id: 1, method: 'attestation/generate', params: {} })
  expect(late.sent).toEqual([])
  const starter = session()
  void starter.begin(plan({ kind: 'new' }))
  starter.receive({ id: 1, method: 'attestation/generate', params: {} })
  expect(starter.sent.at(-1)).toMatchObject({ id: 1, error: { code: -32601 } })
})

test('lines that are no messages are activity', () => {
  const one = stream(() => Promise.resolve())
  expect(one.receive('not json')).toEqual([{ kind: 'activity' }])
  expect(one.receive('{"method":"warning","params":{}}')).toEqual([{ kind: 'activity' }])
})
