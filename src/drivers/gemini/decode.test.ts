import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HookCall } from '../../contract/hooks.ts'
import { decode } from './decode.ts'
import { formatGoOn } from './hook-text.ts'

const file = join(import.meta.dirname, '../../../test/fixtures/gemini/0.61.0/hook-calls.jsonl')
const meta = { agent: 'agt_1', pid: 7, conversation: null }
const calls = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { native: string; payload: unknown })
  .map(({ native, payload }) => decode(payload, { ...meta, native }))
const find = (native: string, isIt: (call: HookCall) => boolean = () => true): HookCall | undefined =>
  calls.find((call) => call.native === native && isIt(call))

test.each([
  ['SessionStart', 'session_start'],
  ['BeforeAgent', 'prompt'],
  ['BeforeTool', 'before_tool'],
  ['AfterTool', 'after_tool'],
  ['AfterAgent', 'stop'],
  ['PreCompress', 'before_compact'],
  ['Notification', 'permission'],
  ['SessionEnd', 'session_end'],
])('%s is %s', (native, event) => {
  expect(find(native)).toMatchObject({
    event,
    driver: 'gemini',
    agent: 'agt_1',
    pid: 7,
    conversation: 'e1111111-2222-4333-8444-555555555555',
    transcript: '/home/dev/.gemini/tmp/proj/chats/session-2026-11-16T02-17-e1111111.jsonl',
    cwd: '/home/dev/proj',
    subagent: null,
  })
})

test('a tool call, before and after', () => {
  const tool = { id: null, name: 'run_shell_command', input: { command: 'touch b1', description: 'run it' } }
  expect(find('BeforeTool')?.tools).toEqual([tool])
  expect(find('AfterTool')?.tools).toEqual([
    { ...tool, response: expect.objectContaining({ llmContent: expect.any(String) }) },
  ])
})

test('a prompt, and how a session began', () => {
  expect(find('BeforeAgent')?.prompt).toBe('RUN:touch b1 ;; SAY:touched')
  expect(find('SessionStart')?.source).toBe('startup')
})

test('what was said at a stop is no new prompt', () => {
  const prompt = formatGoOn([{ from: 'inbox', text: 'Go on.' }])
  expect(decode({ prompt }, { ...meta, native: 'BeforeAgent' })).toMatchObject({ event: 'other', prompt })
})

test('the start of a resumed conversation does not know where it is written', () => {
  const payload = { source: 'resume', transcript_path: '/x.jsonl', session_id: 'c' }
  expect(decode(payload, { ...meta, native: 'SessionStart' })).toMatchObject({ transcript: null, conversation: 'c' })
})

test.each([
  ['exec', 'permission', { command: 'touch b1' }, 'Confirm Shell Command: touch b1'],
  ['edit', 'permission', { file_path: '/home/dev/proj/new.txt' }, 'Confirm Write: new.txt: /home/dev/proj/new.txt'],
  ['ask_user', 'question', {}, 'Ask User'],
])('a person is asked: %s', (tool, kind, input, summary) => {
  const call = find('Notification', ({ question }) => question?.tool === tool)
  expect(call?.question).toEqual({ id: expect.stringMatching(/^[0-9a-f]{16}$/), kind, tool, input, summary })
})

test('anything at all can be read', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string(), (payload, native) => {
      expect(decode(payload, { ...meta, native })).toMatchObject({ driver: 'gemini', raw: payload })
    }),
  )
})
