import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { ConversationGraph } from '../conversation.ts'
import { format, locate } from './transcript.ts'

const parseLines = (name: string): string[] =>
  readFileSync(join(import.meta.dirname, '../../../test/fixtures/codex/0.166.0', `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)

const read = (lines: readonly string[]): ConversationEntry[] => {
  if (format.kind !== 'lines') throw new Error('Codex writes lines')
  const reader = format.reader()
  return lines.flatMap(reader)
}
const entries = (name: string): ConversationEntry[] => read(parseLines(name))
const kinds = (name: string): string[] =>
  entries(name)
    .map(({ kind }) => kind)
    .filter((kind) => kind !== 'other')
const find = (all: ConversationEntry[], text: string): ConversationEntry => {
  const found = all.find((entry) => entry.text.includes(text))
  if (found === undefined) throw new Error(`no ${text}`)
  return found
}
const graphOf = (all: ConversationEntry[]): ConversationGraph => {
  const graph = new ConversationGraph()
  all.forEach((entry) => graph.add(entry))
  return graph
}

describe('what each entry of a real conversation is', () => {
  const hooks = ['hook_context', 'hook_context', 'hook_context', 'tool_result', 'hook_context', 'tool_result']
  test.each([
    [
      'hook-context',
      [
        'hook_context',
        'prompt',
        'hook_context',
        'assistant',
        'assistant',
        ...hooks,
        'assistant',
        'feedback',
        'assistant',
      ],
    ],
    ['forked', ['prompt', 'assistant']],
    ['subagent', ['prompt', 'assistant', 'tool_result', 'assistant', 'tool_result', 'assistant']],
    [
      'reverted-and-compacted',
      ['prompt', 'assistant', 'assistant', 'compaction', 'hook_context', 'prompt', 'assistant'],
    ],
  ])('%s', (name, expected) => {
    expect(kinds(name)).toEqual(expected)
  })

  test('each follows the one before, and is the same when it is read again', () => {
    const all = entries('hook-context')
    const chain = all.filter(({ link }) => link === 'chain')
    expect(chain.slice(1).map(({ parent }) => parent)).toEqual(chain.slice(0, -1).map(({ id }) => id))
    expect(entries('hook-context')).toEqual(all)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  })

  test('tool calls and their results', () => {
    const all = entries('hook-context')
    const call = all.find(({ kind }) => kind === 'assistant')
    const result = find(all, 'Output:\none')
    expect(call?.blocks).toEqual([
      { type: 'tool_use', id: 'call_31_0', name: 'exec_command', input: { cmd: 'echo one' } },
    ])
    expect(result).toMatchObject({ kind: 'tool_result', calledBy: call?.id, blocks: [{ id: 'call_31_0' }] })
  })

  test('what stands in place of a denied call is its result', () => {
    const denied = find(entries('decisions'), 'Command blocked by PreToolUse hook: <rein-directive> DENY & why.')
    expect(denied).toMatchObject({ kind: 'tool_result', blocks: [{ isError: true }] })
  })

  test('what a hook says at a stop is read as it was meant, though it is written escaped', () => {
    const feedback = find(entries('errors-and-interrupts'), 'rein-directive')
    expect(feedback).toMatchObject({
      kind: 'feedback',
      text: '<rein-directive id="d1">\nA & B "quoted" \'x\'\n</rein-directive>',
    })
  })

  test('the last item of a reply has its tokens, and how many fit; cached ones are not counted twice', () => {
    const [reply] = entries('forked').filter(({ isReply }) => isReply)
    const tokens = { inputTokens: 6, cacheTokens: 4, outputTokens: 5 }
    expect(reply?.usage).toEqual({ ...tokens, model: 'gpt-5.4', window: 258_400 })
  })
})

describe('evidence', () => {
  test('a hook speaks while the model still writes its other calls: that reply has not seen it', () => {
    const all = entries('errors-and-interrupts')
    const [first] = all.filter(({ text }) => text === 'POST-CTX')
    const reply = graphOf(all).firstReplyBehind([first?.id ?? ''])
    expect(all.find(({ id }) => id === reply)?.text).toBe('gap done')
  })

  test('after an API error nothing is seen before the next reply', () => {
    const all = entries('errors-and-interrupts')
    const context = find(all, 'CTX-BEFORE-ERROR')
    const upTo = all.findIndex(({ text }) => text === 'SAY:after error')
    expect(graphOf(all.slice(0, upTo)).firstReplyBehind([context.id])).toBeNull()
    expect(graphOf(all).firstReplyBehind([context.id])).toBe(replyText(all, 'after error'))
  })

  test('an interrupted turn has no reply', () => {
    const all = entries('errors-and-interrupts')
    const slow = find(all, 'SLOW:15:text')
    expect(graphOf(all).firstReplyBehind([slow.id])).toBe(replyText(all, '<x> after & interrupts'))
  })

  test('the summary of a compaction answers nothing, and what is behind it is gone', () => {
    const all = entries('reverted-and-compacted')
    expect(find(all, 'A title')).toMatchObject({ kind: 'assistant', isReply: false })
    expect(graphOf(all).present().has(find(all, 'SAY:four').id)).toBe(false)
    expect(graphOf(all).present().has(find(all, 'AFTER-COMPACT-CTX').id)).toBe(true)
  })

  test('a reply whose tokens are not written yet is held back', () => {
    const lines = parseLines('forked')
    const reply = lines.findIndex((line) => line.includes('"role":"assistant"'))
    expect(read(lines.slice(0, reply + 1)).some(({ isReply }) => isReply)).toBe(false)
    expect(read(lines.slice(0, reply + 2)).some(({ isReply }) => isReply)).toBe(true)
  })
})

const replyText = (all: ConversationEntry[], text: string): string | undefined =>
  all.find((entry) => entry.isReply && entry.text === text)?.id

test('damaged lines are no entries', () => {
  expect(read(['', 'no json', '[]', '{"type":"response_item"}', '{"type":"response_item","payload":7}'])).toMatchObject(
    [{ kind: 'other' }, { kind: 'other' }],
  )
})

describe('where it is', () => {
  const conversation = '01a1e20a-c823-75e3-97dc-2a7e662e18b5'
  const withHome = (check: (home: string, file: (day: string, name: string) => string) => void): void => {
    const home = mkdtempSync(join(tmpdir(), 'rein-codex-'))
    const file = (day: string, name: string): string => {
      const directory = join(home, 'sessions', day)
      mkdirSync(directory, { recursive: true })
      writeFileSync(join(directory, name), '')
      return join(directory, name)
    }
    try {
      check(home, file)
    } finally {
      rmSync(home, { recursive: true })
    }
  }

  test('by its id, the newest file of it, once it is written', () => {
    withHome((home, file) => {
      const env = { CODEX_HOME: home }
      expect(locate(conversation, '', env)).toBeNull()
      file('2026/11/17', 'rollout-2026-11-17T01-00-00-01a1e20a-0000-75e3-97dc-2a7e662e18b5.jsonl')
      const first = file('2026/11/16', `rollout-2026-11-16T01-48-39-${conversation}.jsonl`)
      expect(locate(conversation, '', env)).toBe(first)
      const reverted = file('2026/11/16', `rollout-2026-11-16T01-48-40-${conversation}_01a1e20a-cb85.jsonl`)
      expect(locate(conversation, '', env)).toBe(reverted)
    })
  })
})
