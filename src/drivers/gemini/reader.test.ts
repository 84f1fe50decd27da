import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { ConversationGraph } from '../conversation.ts'
import { TranscriptReader } from './reader.ts'

const directory = join(import.meta.dirname, '../../../test/fixtures/gemini/0.61.0')
const parseLines = (name: string): string[] =>
  readFileSync(join(directory, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)

const entriesOf = (lines: string[]): ConversationEntry[] => {
  const reader = new TranscriptReader()
  return lines.flatMap((line) => reader.read(line))
}
const entries = (name: string) => entriesOf(parseLines(name))

/** What the model would get now, in order. */
const present = (all: readonly ConversationEntry[]): ConversationEntry[] => {
  const graph = new ConversationGraph()
  for (const entry of all) graph.add(entry)
  return all.filter(({ id, kind }) => graph.present().has(id) && kind !== 'other')
}
const told = ({ kind, text }: ConversationEntry): string => `${kind}: ${text}`
const until = (lines: string[], text: string): string[] =>
  lines.slice(0, lines.findIndex((line) => line.includes(text)) + 1)

describe('a conversation in a terminal', () => {
  const all = entries('terminal')

  test('each piece that the model gets is an entry of its own, context as it was given', () => {
    expect(present(all).slice(0, 10).map(told)).toEqual([
      'prompt: PAR:echo one && echo two ;; SAY:both',
      'hook_context: CTX-PROMPT one\n<b> & &lt;',
      'assistant: ',
      'assistant: ',
      'assistant: ',
      expect.stringMatching(/^tool_result: <untrusted_context>\nOutput: one\n[^]*<\/untrusted_context>$/),
      'hook_context: CTX-TOOL <x>',
      expect.stringMatching(/^tool_result: <untrusted_context>\nOutput: two\n/),
      'hook_context: CTX-TOOL <x>',
      'assistant: both',
    ])
  })

  test('what is said in place of a denied call is its result; what keeps it from stopping is feedback', () => {
    const texts = all.map(told)
    expect(texts).toContain('tool_result: Tool execution blocked: DENIED line1\n<x> line2')
    expect(texts).toContain('feedback: Rein has something before you stop:\nGO-ON <b>\nSAY:went on')
  })

  test('calls and results are blocks, replies tell their use', () => {
    const blocks = all.flatMap((entry) => entry.blocks)
    const uses = blocks.filter((block) => block.type === 'tool_use')
    expect(uses.map(({ name, input }) => [name, input['command']])).toEqual([
      ['run_shell_command', 'echo one'],
      ['run_shell_command', 'echo two'],
      ['run_shell_command', 'touch a2'],
      ['run_shell_command', 'touch a3'],
    ])
    const results = blocks.filter((block) => block.type === 'tool_result')
    expect(results.map(({ id, isError }) => [uses.findIndex((use) => use.id === id), isError])).toEqual([
      [0, false],
      [1, false],
      [2, true],
    ])
    expect(all.find(({ text }) => text === 'both')?.usage).toMatchObject({ outputTokens: 7, model: 'gemini-3.8-flash' })
  })

  test('a cancelled call takes its prompt with it, though everything is written anew under other ids', () => {
    expect(all.filter(({ kind }) => kind === 'prompt').map(({ text }) => text)).toEqual([
      'PAR:echo one && echo two ;; SAY:both',
      'RUN:touch a2 ;; SAY:was denied',
      'SAY:first stop',
      'RUN:touch a3 ;; SAY:no',
      'SAY:after cancel',
    ])
    const texts = present(all).map(told)
    expect(texts).not.toContain('prompt: RUN:touch a3 ;; SAY:no')
    expect(texts).toContain('prompt: PAR:echo one && echo two ;; SAY:both')
    expect(texts.slice(-3)).toEqual([
      'prompt: SAY:after cancel',
      'hook_context: CTX-PROMPT one\n<b> & &lt;',
      'assistant: after cancel',
    ])
  })
})

test.each([
  ['a failed request', 'ERR:400', 'SAY:after error'],
  ['an answer that was broken off', 'SLOW:20:never', 'SAY:after esc'],
])('%s is taken back with its prompt and the context beside it', (_, prompt, next) => {
  const lines = parseLines('failed')
  const before = present(entriesOf(until(lines, prompt)))
  expect(before.slice(-2).map(told)).toEqual([`prompt: ${prompt}`, 'hook_context: CTX-PROMPT'])
  const after = present(entriesOf(until(lines, next)))
  expect(after.map(({ text }) => text)).not.toContain(prompt)
  expect(after.at(-3)?.kind).toBe('assistant')
})

test('a tool that was broken off has a result', () => {
  const texts = present(entries('failed')).map(told)
  expect(texts.at(-5)).toBe('assistant: ')
  expect(texts.slice(-4)).toEqual([
    'tool_result: [Operation Cancelled] Reason: Operation cancelled by user',
    'prompt: SAY:after esc2',
    'hook_context: CTX-PROMPT',
    'assistant: after esc2',
  ])
})

test('only what the model wrote is a reply', () => {
  const replies = ['terminal', 'failed', 'headless', 'compaction'].map((name) =>
    entries(name)
      .filter(({ isReply }) => isReply)
      .map(({ text }) => text),
  )
  expect(replies).toEqual([
    ['', 'both', '', 'was denied', 'first stop', 'went on', '', 'after cancel'],
    ['', 'okone', 'after error', 'after esc', '', 'after esc2'],
    ['', '', 'done', '', 'went on', 'last'],
    ['big-1', 'big-2', 'big-3', 'big-4', 'after'],
  ])
})

test('what was rewound is left behind', () => {
  const texts = present(entries('rewound')).map(({ text }) => text)
  expect(texts.filter((text) => text.startsWith('SAY:'))).toEqual(['SAY:rw-one', 'SAY:rw-two', 'SAY:after rewind'])
})

test('behind a compaction is nothing but its summary, and what was kept beside it', () => {
  const all = entries('compaction')
  expect(present(all).map(({ kind, text }) => [kind, text.slice(-12)])).toEqual([
    ['compaction', 'te_snapshot>'],
    ['assistant', 'nal context!'],
    ['queued_prompt', '…  SAY:big-4'],
    ['hook_context', 'CTX-PROMPT'],
    ['assistant', 'big-4'],
    ['prompt', 'SAY:after'],
    ['hook_context', 'CTX-PROMPT'],
    ['assistant', 'after'],
  ])
  expect(all.filter(({ kind }) => kind === 'prompt')).toHaveLength(5)
})

test('after a crash and a resume all that was said is there once, and is no new turn', () => {
  const all = entries('resumed')
  expect(present(all).map(told)).toEqual([
    'queued_prompt: SAY:one',
    'assistant: one',
    'queued_prompt: RUN:sleep 30 ;; SAY:after resume',
    'prompt: SAY:resumed',
    'assistant: ',
  ])
  expect(all.filter(({ kind }) => kind === 'prompt')).toHaveLength(3)
})

test('headless, calls are noted apart from the replies that made them', () => {
  const kinds = present(entries('headless')).map(({ kind }) => kind)
  const round = ['assistant', 'assistant', 'tool_result']
  const first = ['prompt', 'hook_context', ...round, ...round, 'assistant']
  const afterStop = ['feedback', 'hook_context', ...round, 'assistant']
  expect(kinds).toEqual([...first, ...afterStop, 'prompt', 'hook_context', 'assistant'])
})

test('a sub-agent has a file of its own: what it did is the result of one call', () => {
  const all = present(entries('subagent'))
  const uses = all.flatMap(({ blocks }) => blocks).filter((block) => block.type === 'tool_use')
  expect(uses.map(({ name }) => name)).toEqual(['invoke_agent'])
  expect(all.some(({ text }) => text.includes('from-sub\nProcess'))).toBe(false)
})

describe.each(['terminal', 'failed', 'rewound', 'compaction', 'resumed', 'headless', 'subagent'])('%s', (name) => {
  test('gives the same entries, each once, whenever it is read', () => {
    const all = entries(name)
    expect(entries(name)).toEqual(all)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test('each entry hangs on one that came before', () => {
    const known = new Set<string | null>([null])
    for (const { id, parent } of entries(name)) {
      expect(known).toContain(parent)
      known.add(id)
    }
  })
})

test.each(['', '{', '[]', 'null', '{"id":1}', '{"$set":{}}', '{"$set":{"messages":[null,1,{}]}}', '{"$rewindTo":"x"}'])(
  'a line like %j is nothing',
  (line) => {
    expect(new TranscriptReader().read(line)).toEqual([])
  },
)
