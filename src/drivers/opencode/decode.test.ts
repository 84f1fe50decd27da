import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { HookCall } from '../../contract/hooks.ts'
import { decode } from './decode.ts'

const fixture = join(import.meta.dirname, '../../../test/fixtures/opencode/1.18.33/hook-calls.jsonl')
const recorded = readFileSync(fixture, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { native: string; payload: Record<string, unknown> })
const meta = (native: string) => ({ native, agent: 'agt_1', pid: 42, conversation: null })
const calls: HookCall[] = recorded.map(({ native, payload }) => decode(payload, meta(native)))
const conversation = calls[0]?.conversation ?? ''

test('what a real opencode tells of', () => {
  expect(calls.map(({ event }) => event)).toEqual(
    [
      ['session_start'],
      ['prompt', 'stop'],
      // Kept from stopping: that prompt is Rein's own.
      ['other', 'stop'],
      ['prompt', 'before_tool', 'permission', 'after_tool', 'stop'],
      ['prompt', 'before_tool', 'permission', 'after_tool', 'stop'],
      // The model failed; opencode tells the end twice.
      ['prompt', 'stop_failed', 'stop_failed'],
      // Somebody pressed Esc.
      ['prompt', 'other', 'other'],
      ['prompt', 'before_tool'],
      ['subagent_start', 'prompt', 'before_tool', 'after_tool'],
      ['after_tool', 'subagent_stop', 'stop'],
      ['after_compact', 'stop'],
      ['session_end'],
    ].flat(),
  )
})

test('every call belongs to the conversation at the top, in its database', () => {
  expect(new Set(calls.map((call) => call.conversation))).toEqual(new Set([conversation]))
  expect(new Set(calls.map((call) => call.transcript))).toEqual(
    new Set(['/home/dev/.local/share/opencode/opencode.db']),
  )
  expect(calls[0]).toMatchObject({ driver: 'opencode', agent: 'agt_1', pid: 42, cwd: '/home/dev/project' })
})

test('what a sub-agent does is marked; that it begins and ends is its leader’s', () => {
  const marked = calls.filter(({ subagent }) => subagent !== null)
  expect(marked.map(({ event }) => event)).toEqual(['prompt', 'before_tool', 'after_tool'])
  expect(marked[0]?.subagent?.type).toBe('general')
})

describe('what is in a call', () => {
  const find = (event: HookCall['event'], tool?: string): HookCall => {
    const found = calls.find((call) => call.event === event && (tool === undefined || call.tools[0]?.name === tool))
    if (found === undefined) throw new Error(`no ${event}`)
    return found
  }

  test('a prompt', () => {
    expect(find('prompt').prompt).toBe('SAY:begin')
  })

  test('a tool and what it gave', () => {
    const input = { command: 'touch perm1', description: 'run' }
    expect(find('before_tool').tools).toMatchObject([{ name: 'bash', input }])
    expect(find('after_tool').tools).toMatchObject([{ name: 'bash', input, response: { output: '(no output)' } }])
  })

  test('a permission and a question', () => {
    const asked = calls.filter(({ event }) => event === 'permission').map(({ question }) => question)
    expect(asked).toMatchObject([
      { kind: 'permission', tool: 'bash', input: { command: 'touch perm1' }, summary: 'bash: touch perm1' },
      { kind: 'question', tool: 'question', summary: 'Which colour?' },
    ])
  })
})

test('over ACP an idle session is no stop: the agent is prompted there', () => {
  const idle = recorded.find(({ native }) => native === 'session.idle')
  const payload = { ...idle?.payload, about: { client: 'acp', env: { HOME: '/home/dev' } } }
  expect(decode(payload, meta('session.idle')).event).toBe('notification')
})

test('anything else is passed on', () => {
  expect(decode('nonsense', meta('no.such.event'))).toMatchObject({ event: 'other', raw: 'nonsense', transcript: null })
  expect(decode({}, meta('constructor')).event).toBe('other')
})
