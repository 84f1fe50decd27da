import { expect, test } from 'vitest'
import { createDirector } from './director.ts'
import { parseScenario } from './scenario.ts'
import { formatScript } from './script.ts'
import { anthropic, type MessagesBody } from './wires/anthropic.ts'

type Message = MessagesBody['messages'][number]

const user = (...texts: string[]): Message => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
})
const result = (content: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: 't', content }],
})
const system = (content: string): Message => ({ role: 'system', content })
const said: Message = { role: 'assistant', content: 'something' }
const tools = [{ name: 'Bash' }]

function model(scenario = '') {
  const director = createDirector(parseScenario(scenario))
  const ask = (messages: Message[], { conversation = 'c1', ...rest }: Record<string, unknown> = {}) =>
    director({
      ...anthropic.read({ path: '', headers: {}, body: { model: 'm', messages, tools, ...rest }, tokens: 1 }),
      conversation: String(conversation),
    })
  const reply = (messages: Message[], conversation = 'c1') => formatScript(ask(messages, { conversation }).steps)
  return { ask, reply }
}

test('each request takes the next step, then the default', () => {
  const { reply } = model()
  const prompt = user('<system-reminder>\nSAY:not me\n</system-reminder>', 'please\nERROR:500 ;; RUN:ls ;; SAY:end')
  expect(reply([prompt])).toBe('ERROR:500')
  expect(reply([prompt])).toBe('RUN:ls')
  expect(reply([prompt, said, result('SAY:not me'), system('SAY:nor me')])).toBe('SAY:end')
  expect(reply([prompt, said, result('x'), said, user('go on')])).toBe('SAY:ok')
})

test('THINK and WAIT belong to the reply of the step that follows', () => {
  const { reply } = model()
  const prompt = user('THINK:hm ;; WAIT:go ;; RUN:ls ;; WAIT:end')
  expect(reply([prompt])).toBe('THINK:hm ;; WAIT:go ;; RUN:ls')
  expect(reply([prompt, said, result('x')])).toBe('WAIT:end ;; SAY:ok')
})

test('the same script runs again when prompted again, and on its own in another conversation', () => {
  const { reply } = model()
  const prompt = user('SAY:one ;; SAY:two')
  expect(reply([prompt])).toBe('SAY:one')
  expect(reply([prompt], 'c2')).toBe('SAY:one')
  expect(reply([prompt, said, prompt])).toBe('SAY:one')
  expect(reply([prompt, said, prompt, said, user('more')])).toBe('SAY:two')
})

test('a script that was begun elsewhere is not begun again', () => {
  expect(model().reply([user('RUN:ls ;; SAY:end'), said, user('go on')])).toBe('SAY:ok')
})

test('reflexes come before the script, once each, and take none of its steps', () => {
  const { ask, reply } = model('on ID=(\\w+) do RUN:ack $1')
  const prompt = user('RUN:ls ;; SAY:end')
  expect(reply([prompt])).toBe('RUN:ls')
  const told = [prompt, said, result('x'), system('ID=a and ID=b')]
  expect(ask(told)).toMatchObject({ kind: 'reflex', steps: [{ command: 'ack a' }] })
  expect(reply([...told, said, result('acked, ID=a')])).toBe('RUN:ack b')
  expect(ask([...told, said, result('ok')])).toMatchObject({ kind: 'scripted', steps: [{ text: 'end' }] })
})

test('a default of several steps plays them in turn, again and again', () => {
  const { reply } = model('default RUN:true ;; SAY:idle')
  const replies = [1, 2, 3].map(() => reply([user('hello')]))
  expect(replies).toEqual(['RUN:true', 'SAY:idle', 'RUN:true'])
})

test('a script that cannot be read is an error that names the step', () => {
  const { ask } = model()
  const [step] = ask([user('SAY:a ;; NO:b')]).steps
  expect(step).toMatchObject({ do: 'ERROR', status: 400, message: expect.stringContaining('script step 2 "NO:b"') })
})

test('a side query takes no step and gets the shape it asks for', () => {
  const { ask, reply } = model()
  const prompt = user('SAY:mine')
  expect(ask([prompt], { tools: [] })).toMatchObject({ kind: 'side', steps: [{ text: 'none' }] })
  const properties = {
    ok: { type: 'boolean' },
    title: { type: 'string' },
    size: { enum: ['S'] },
    n: { type: 'integer' },
  }
  const schema = { type: 'object', properties: { ...properties, list: { type: 'array' } } }
  const { steps } = ask([prompt], { tools: [], output_config: { format: { type: 'json_schema', schema } } })
  const text = JSON.stringify({ ok: true, title: 'Scripted task', size: 'S', n: 1, list: [] })
  expect(steps).toEqual([{ do: 'SAY', text }])
  expect(reply([prompt])).toBe('SAY:mine')
})

test('a compaction takes no step; afterwards a finished script may be prompted again', () => {
  const { ask, reply } = model()
  const prompt = user('SAY:one')
  expect(reply([prompt])).toBe('SAY:one')
  const compact = user(
    'Respond with text only.\n\nYour task is to create a detailed summary of the conversation so far',
  )
  expect(ask([prompt, said, compact]).kind).toBe('compaction')
  expect(reply([user('the summary'), said, prompt])).toBe('SAY:one')
})
