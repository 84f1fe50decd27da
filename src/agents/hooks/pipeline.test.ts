import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { aCall, lose } from '../../../test/support/builders.ts'
import { type HookEvent, type Responder, type ResponderReply } from '../../contract/hooks.ts'
import { explainCall, runPipeline } from './pipeline.ts'

const aResponder = (given: Partial<Responder> & Pick<Responder, 'respond'>): Responder => ({
  name: 'someone',
  events: ['after_batch'],
  deadlineMs: 100,
  ...given,
})
const saying = (name: string, text: string, given: Partial<Responder> = {}): Responder =>
  aResponder({ name, respond: () => ({ context: [{ from: name, text }] }), ...given })

const run = async (responders: Responder[], event: HookEvent = 'after_batch', budget?: number) => {
  const troubles: string[] = []
  const reply = await runPipeline(
    responders,
    aCall({ event }),
    (who, why) => void troubles.push(`${who}: ${why}`),
    budget,
  )
  return { reply, troubles, context: reply.context.map(({ from }) => from) }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('those who answer to the event, in their order', async () => {
  const { context } = await run([
    saying('rules', 'a'),
    saying('elsewhere', 'x', { events: ['stop'] }),
    saying('inbox', 'b'),
    saying('memory', 'c'),
  ])
  expect(context).toEqual(['rules', 'inbox', 'memory'])
})

test('what is undone for a reply that is lost comes with it', async () => {
  const undone: string[] = []
  const undoing = (name: string): Responder =>
    aResponder({ name, respond: () => ({ onLost: [() => void undone.push(name)] }) })
  const { reply } = await run([undoing('a'), saying('b', 'b'), undoing('c')])
  expect(undone).toEqual([])
  lose(reply)
  expect(undone).toEqual(['a', 'c'])
})

test('the reply of one that is too slow is lost', async () => {
  let answer: (reply: ResponderReply) => void = () => undefined
  const answered = new Promise<ResponderReply>((resolve) => {
    answer = resolve
  })
  const running = run([aResponder({ respond: () => answered })])
  await vi.advanceTimersByTimeAsync(100)
  const { reply } = await running
  expect(reply.onLost).toBeUndefined()
  const lost = new Promise<void>((resolve) => answer({ onLost: [resolve] }))
  await lost
})

test('nobody answers: nothing is said', async () => {
  const { reply } = await run([], 'notification')
  expect(reply).toEqual({ decision: null, context: [], goOn: [] })
})

test('each is told what is left of the budget, and what is too much is left out whole', async () => {
  const rooms: number[] = []
  const asking = (text: string, from: string): Responder =>
    aResponder({
      respond: (_, room) => {
        rooms.push(room)
        return { context: [{ from, text }] }
      },
    })
  const { context } = await run(
    [asking('x'.repeat(60), '1'), asking('x'.repeat(50), '2'), asking('x'.repeat(30), '3')],
    'after_batch',
    100,
  )
  expect(rooms).toEqual([100, 38, 38])
  expect(context).toEqual(['1', '3'])
})

test('one that answers too late is left out and reported; the others are heard', async () => {
  const late = aResponder({ name: 'late', respond: () => new Promise<ResponderReply>(() => undefined) })
  const running = run([late, saying('inbox', 'b')])
  await vi.advanceTimersByTimeAsync(100)
  expect(await running).toMatchObject({ context: ['inbox'], troubles: ['late: no answer in 100 ms'] })
})

test('an answer that has come while the process was busy counts, though the deadline is over', async () => {
  vi.useRealTimers()
  const { port1, port2 } = new MessageChannel()
  const respond = async (): Promise<ResponderReply> => {
    const answered = once(port1, 'message')
    port2.postMessage('here it is')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30)
    await answered
    return { context: [{ from: 'rules', text: 'a' }] }
  }
  const { context, troubles } = await run([aResponder({ deadlineMs: 5, respond })])
  port1.close()
  expect([context, troubles]).toEqual([['rules'], []])
})

test('an answer that comes after the deadline changes nothing, even if it is a failure', async () => {
  const late = aResponder({
    name: 'late',
    respond: () => new Promise((_, reject) => setTimeout(() => reject(new Error('much later')), 500)),
  })
  const running = run([late])
  await vi.advanceTimersByTimeAsync(1000)
  expect((await running).troubles).toEqual(['late: no answer in 100 ms'])
})

test.each<[string, Responder['respond']]>([
  [
    'throws',
    () => {
      throw new Error('oops')
    },
  ],
  ['rejects', () => Promise.reject(new Error('oops'))],
])('one that %s is reported; the others are heard, and no timer stays behind', async (_, respond) => {
  const { context, troubles } = await run([aResponder({ name: 'broken', respond }), saying('inbox', 'b')])
  expect(context).toEqual(['inbox'])
  expect(troubles).toEqual(['broken: oops'])
  expect(vi.getTimerCount()).toBe(0)
})

const tool = (command: string) => ({ id: 't1', name: 'Bash', input: { command } })
const adding = (word: string, given: Partial<Responder> = {}): Responder =>
  aResponder({
    name: word,
    events: ['before_tool'],
    isRewriter: true,
    respond: ({ tools: [one] }) => ({
      decision: { kind: 'rewrite', input: { command: `${String(one?.input['command'])} ${word}` }, reason: word },
    }),
    ...given,
  })

test('before a tool the rewriters come first, one after the other, and all others judge what they made of it', async () => {
  const judged: unknown[] = []
  const judge = aResponder({
    name: 'judge',
    events: ['before_tool'],
    respond: ({ tools: [one] }) => {
      judged.push(one?.input)
      return { decision: { kind: 'ask', reason: 'sure?' } }
    },
  })
  const call = aCall({ event: 'before_tool', tools: [tool('run')] })
  const reply = await runPipeline([judge, adding('a'), adding('b')], call, () => undefined)
  expect(judged).toEqual([{ command: 'run a b' }])
  expect(reply.decision).toEqual({ kind: 'ask', reason: 'sure?', input: { command: 'run a b' } })
  expect(reply.opinions?.map(({ by, kind }) => `${by} ${kind}`)).toEqual(['judge ask', 'a rewrite', 'b rewrite'])
})

test('one that says what counts without it is believed when it is late, and when it fails', async () => {
  const given: Partial<Responder> = {
    events: ['before_tool'],
    failing: (_, why) => ({ decision: { kind: 'deny', reason: `closed: ${why}` } }),
  }
  const late = run(
    [aResponder({ ...given, respond: () => new Promise<ResponderReply>(() => undefined) })],
    'before_tool',
  )
  await vi.advanceTimersByTimeAsync(100)
  expect((await late).reply.decision).toEqual({ kind: 'deny', reason: 'closed: no answer in 100 ms' })
  const failed = await run([aResponder({ ...given, respond: () => Promise.reject(new Error('oops')) })], 'before_tool')
  expect(failed.reply.decision).toEqual({ kind: 'deny', reason: 'closed: oops' })
})

test('an explanation goes through the same stages, and asks nobody who has none', async () => {
  const silent = aResponder({
    events: ['before_tool'],
    respond: () => {
      throw new Error('has an effect')
    },
  })
  const rewriter = adding('a', {
    explain: () => [{ by: 'a', kind: 'rewrite', reason: '', input: { command: 'other' } }],
  })
  const judge = aResponder({
    events: ['before_tool'],
    respond: () => ({}),
    explain: ({ tools: [one] }) => [{ by: 'judge', kind: 'warn', reason: String(one?.input['command']) }],
  })
  const call = aCall({ event: 'before_tool', tools: [tool('run')] })
  const { opinions, call: after } = await explainCall([judge, silent, rewriter], call)
  expect(opinions.map(({ by, reason }) => `${by} ${reason}`)).toEqual(['a ', 'judge other'])
  expect(after.tools[0]?.input).toEqual({ command: 'other' })
})
