import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { recording } from '../../../test/support/builders.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import { isKnown, locate, parse } from './transcript.ts'

const entries = (name: string, version?: string) =>
  recording(name, version)
    .map(parse)
    .filter((entry) => entry !== null)
const kinds = (name: string, version?: string): string[] =>
  entries(name, version)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'other')
const find = (name: string, text: string) => {
  const found = entries(name).find((entry) => entry.text.includes(text))
  if (found === undefined) throw new Error(`${name} has no ${text}`)
  return found
}

describe('what each entry of a real conversation is', () => {
  const round = ['assistant', 'tool_result']
  test.each([
    ['run-say', ['prompt', ...round, 'assistant']],
    ['thinking', ['prompt', 'assistant', ...round, 'assistant', 'assistant']],
    ['parallel-tools', ['prompt', ...Array(3).fill('assistant'), ...Array(3).fill('tool_result'), 'assistant']],
    ['stop-blocked', ['prompt', ...round, 'assistant', 'feedback', ...round, 'assistant']],
    ['stop-context', ['prompt', ...round, 'assistant', 'hook_context', 'assistant', 'prompt', 'assistant']],
    ['api-error', ['prompt', ...round, 'assistant']],
    ['interrupt', ['prompt', ...round, 'prompt', 'assistant']],
    ['queued-prompt', ['prompt', ...round, 'queued_prompt', 'assistant']],
    ['subagent', ['prompt', ...round, 'assistant']],
    ['subagent-own', []],
  ])('%s', (name, expected) => {
    expect(kinds(name)).toEqual(expected)
  })

  const two = ['assistant', 'assistant', 'tool_result', 'tool_result']
  const queued = ['queued_prompt', 'queued_prompt']
  test.each([
    ['background-agent', ['prompt', ...round, ...round, 'assistant', 'prompt', 'assistant']],
    [
      'background-queued',
      ['prompt', ...two, ...round, ...queued, ...round, ...round, 'assistant', 'prompt', 'assistant'],
    ],
    ['woken', ['prompt', 'assistant', 'prompt', 'hook_context', ...round]],
  ])('2.1.326, with its snapshots and reminders: %s', (name, expected) => {
    expect(kinds(name, '2.1.326').slice(0, expected.length)).toEqual(expected)
  })

  test('2.1.9 writes down neither the context of hooks nor their notes, only what stops a stop', () => {
    const found = recording('stop-blocked', '2.1.9')
      .map(parse)
      .filter((entry) => entry !== null)
    const readable = found.filter(({ kind }) => kind !== 'other')
    expect(readable.map(({ kind }) => kind)).toEqual([
      'prompt',
      ...Array(2).fill('assistant'),
      ...Array(2).fill('tool_result'),
      'assistant',
      'feedback',
      'assistant',
      'prompt',
      'assistant',
    ])
    expect(found.some(({ text }) => text.includes('CTX-PostToolUse'))).toBe(false)
    expect(readable[6]?.text).toBe('Stop hook feedback:\nCTX-Stop line1\n| line2 <x> & "q"')
  })

  test('a compaction is one, and neither its summary nor the command that made it is a prompt', () => {
    const found = kinds('compaction')
    expect(found.filter((kind) => kind === 'compaction')).toHaveLength(1)
    expect(found.filter((kind) => kind === 'prompt')).toHaveLength(3)
    expect(find('compaction', 'This session is being continued').kind).toBe('other')
    expect(find('compaction', '<command-name>/compact').kind).toBe('other')
  })

  test('a note about a hook has nothing that the model reads', () => {
    const notes = entries('hook-context').filter(({ raw }) => JSON.stringify(raw).includes('hook_success'))
    expect(notes.length).toBeGreaterThan(2)
    expect(notes.every(({ text, kind }) => text === '' && kind === 'other')).toBe(true)
  })

  test('context of two hooks at a start is one entry with both', () => {
    expect(find('two-hooks', 'CTX-a-SessionStart').text).toContain('CTX-b-SessionStart one\ntwo')
  })
})

describe('what an entry carries', () => {
  test('its place, its time and what it belongs to', () => {
    const [prompt] = entries('run-say')
    const result = entries('run-say').find(({ kind }) => kind === 'tool_result')
    const call = entries('run-say').find(({ id }) => id === result?.calledBy)
    expect(prompt).toMatchObject({ parent: null, message: null, calledBy: null })
    expect(prompt?.at).toBe(Date.parse(String(prompt?.raw['timestamp'])))
    expect(call?.blocks).toMatchObject([{ type: 'tool_use', name: 'Bash', input: { command: 'echo hi' } }])
    expect(result?.blocks).toMatchObject([{ type: 'tool_result', text: 'hi', isError: false }])
  })

  test('lines of one reply share its id, tools in parallel too', () => {
    const ids = entries('parallel-tools').flatMap(({ message }) => message ?? [])
    expect(ids).toHaveLength(4)
    expect(new Set(ids).size).toBe(2)
  })

  test('thinking is kept as a block, and is nothing that was said', () => {
    const thought = entries('thinking').find(({ blocks }) => blocks[0]?.type === 'thinking')
    expect(thought).toMatchObject({ text: '', blocks: [{ thinking: 'let me look' }], isReply: true })
  })

  test('what the turn has cost', () => {
    expect(entries('run-say').find(({ isReply }) => isReply)?.usage).toMatchObject({ model: 'claude-opus-4-8' })
  })

  test('an API error and what the CLI says itself are no replies', () => {
    expect(find('api-error', 'API Error').isReply).toBe(false)
    expect(find('dropped-reply', 'API Error').isReply).toBe(false)
  })

  test("a sub-agent's report in blocks is read as text", () => {
    const report = entries('subagent').find(({ kind }) => kind === 'tool_result')
    expect(report?.text).toContain('sub done')
  })

  test('blocks of unknown kinds pass through', () => {
    const transcript = new Transcript()
    transcript.prompt('', {
      message: {
        content: [
          { type: 'image', source: 'x' },
          { type: 'text', text: 'Look.' },
        ],
      },
    })
    expect(transcript.entries[0]).toMatchObject({
      kind: 'prompt',
      text: '\nLook.',
      blocks: [{ type: 'other', raw: { type: 'image', source: 'x' } }, { type: 'text' }],
    })
  })
})

describe('what is no entry', () => {
  test.each(['queue-operation', 'last-prompt', 'file-history-snapshot', 'custom-title', 'mode'])(
    'a line of type %s',
    (type) => {
      expect(parse(JSON.stringify({ type, sessionId: 's', leafUuid: 'x' }))).toBeNull()
    },
  )

  test.each(['', 'no json', '[]', '"text"', '{"uuid":5}', '{"type":"user","uuid":"x"'])('%j', (line) => {
    expect(parse(line)).toBeNull()
  })

  test.each([
    '{"uuid":"x"}',
    '{"uuid":"x","type":"user"}',
    '{"uuid":"x","type":"user","message":{"content":5}}',
    '{"uuid":"x","type":"attachment"}',
    '{"uuid":"x","type":"brand_new","timestamp":"?"}',
  ])('but a line with an id that says little is one, and does no harm: %s', (line) => {
    expect(parse(line)).toMatchObject({ id: 'x', parent: null, at: 0, isReply: false, text: '' })
  })
})

describe('where it is', () => {
  test.each([
    ['/home/dev/my_app.v2', '-home-dev-my-app-v2'],
    ['/srv/ünï', '-srv--n-'],
  ])('%s', (cwd, slug) => {
    expect(locate('id', cwd, { HOME: '/home/dev' })).toBe(`/home/dev/.claude/projects/${slug}/id.jsonl`)
  })

  test('in the configured directory, else at home', () => {
    expect(locate('id', '/x', { CLAUDE_CONFIG_DIR: '/conf', HOME: '/h' })).toBe('/conf/projects/-x/id.jsonl')
    expect(locate('id', '/x', {})).toBe(join(homedir(), '.claude/projects/-x/id.jsonl'))
  })
})

test('a conversation is known by its id in any directory, and by its title in its own; a terminal searches for other words', () => {
  const home = mkdtempSync(join(tmpdir(), 'rein-known-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  const env = { HOME: home }
  const id = '11111111-2222-4333-8444-555555555555'
  const known = (name: string, cwd: string, host: 'stream' | 'tmux') => isKnown(name, cwd, env, host)
  expect([known(id, '/src/shop', 'stream'), known(id, '/src/shop', 'tmux')]).toEqual([false, false])
  const path = locate(id, '/src/shop', env)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `{"type":"custom-title","customTitle":"The Cart","sessionId":"${id}"}\n`)
  expect([known(id, '/src/shop', 'stream'), known(id, '/elsewhere', 'tmux')]).toEqual([true, true])
  expect([known('the cart', '/src/shop', 'stream'), known('the cart', '/elsewhere', 'stream')]).toEqual([true, false])
  expect([known('nosuch', '/src/shop', 'stream'), known('nosuch', '/src/shop', 'tmux')]).toEqual([false, true])
})

describe('calls that go on in the background', () => {
  const told = (name: string, version: string) =>
    entries(name, version).flatMap(({ kind, ends, isLeftRunning, blocks }) => {
      if (ends !== undefined) return [[kind, ends.call, ends.result]]
      return isLeftRunning === true ? blocks.map((block) => ['left', block.type === 'tool_result' ? block.id : '']) : []
    })

  test('a sub-agent: left running, and its end begins a turn', () => {
    const [[, call] = [], ...rest] = told('background-agent', '2.1.326')
    expect(call).toMatch(/^toolu_/)
    expect(rest).toEqual([['prompt', call, 'sub done']])
  })

  test.each([
    ['background-queued', '2.1.326', ['left', 'left', 'queued_prompt', 'queued_prompt', 'left', 'prompt']],
    ['background', '2.1.197', ['left', 'queued_prompt', 'left', 'prompt']],
  ])('%s of %s: also commands, and what ends in the middle of a turn', (name, version, expected) => {
    const found = told(name, version)
    expect(found.map(([what]) => what)).toEqual(expected)
    const [left, ended] = [true, false].map((is) => found.filter(([what]) => (what === 'left') === is))
    expect(ended?.map(([, call]) => call).toSorted()).toEqual(left?.map(([, call]) => call).toSorted())
    expect(ended?.at(-1)?.[2]).toMatch(/^Background command "d" completed/)
  })

  test('a wake is none, and neither is what somebody types', () => {
    expect(told('woken', '2.1.326')).toEqual([])
    const [prompt] = recording('background-agent', '2.1.326').filter((line) => line.includes('"origin":'))
    const typed = { ...(JSON.parse(prompt ?? '{}') as object), origin: { kind: 'human' } }
    expect(parse(JSON.stringify(typed))).toMatchObject({ kind: 'prompt' })
    expect(parse(JSON.stringify(typed))?.ends).toBeUndefined()
  })
})
