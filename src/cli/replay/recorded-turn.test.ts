import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { anEntry } from '../../../test/support/builders.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { claude } from '../../drivers/claude/driver.ts'
import { conversationOf } from './conversation.ts'
import { callsIn, helperOf, turnBetween } from './recorded-turn.ts'

const fixture = (name: string): ConversationEntry[] => {
  const text = readFileSync(new URL(`../../../test/fixtures/claude/2.1.197/${name}.jsonl`, import.meta.url), 'utf8')
  const { format } = claude.transcript
  const read = format.kind === 'lines' ? format.reader() : () => []
  return text.split('\n').flatMap((line) => read(line))
}

const wholeTurn = (entries: ConversationEntry[]) => {
  const first = entries.find(({ kind }) => kind === 'prompt')?.id ?? ''
  return turnBetween(conversationOf(entries), first, entries.findLast(({ isReply }) => isReply)?.id ?? '')
}

test('parallel calls are one reply, and their results came with the request after it', () => {
  const turn = wholeTurn(fixture('parallel-tools'))
  const [first] = turn?.replies ?? []
  expect(first?.filter(({ type }) => type === 'call').length).toBeGreaterThan(1)
  const calls = callsIn({ replies: [first ?? []] }).map(({ id }) => id)
  const results = turn?.heard[1]?.filter(({ kind }) => kind === 'result').map(({ call }) => call)
  expect(results?.toSorted()).toEqual(calls.toSorted())
  expect(turn?.heard).toHaveLength((turn?.replies.length ?? 0) + 1)
})

test('thoughts are part of the reply that they led to', () => {
  const [first] = wholeTurn(fixture('thinking'))?.replies ?? []
  expect(first?.map(({ type }) => type).slice(0, 2)).toEqual(['thinking', 'call'])
})

test('what hooks said is heard, with the request that carried it', () => {
  const heard = wholeTurn(fixture('hook-context'))?.heard.flat() ?? []
  expect(heard.filter(({ kind }) => kind === 'hook context').map(({ text }) => text)).toContain('ID=d1 batch context')
  expect(wholeTurn(fixture('stop-blocked'))?.heard.flat()).toContainEqual(
    expect.objectContaining({ kind: 'stop feedback', text: expect.stringContaining('ID=d2 told at stop') }),
  )
})

const reply = (id: string, parent: string, text: string): ConversationEntry =>
  anEntry({ id, parent, kind: 'assistant', isReply: true, message: id, blocks: [{ type: 'text', text }] })

test('what was left behind by going back is not part of a turn', () => {
  const entries = [
    anEntry({ id: 'p', kind: 'prompt', text: 'Go' }),
    reply('left', 'p', 'wrong'),
    reply('kept', 'p', 'right'),
    anEntry({ id: 'next', parent: 'kept', kind: 'prompt', text: 'On' }),
  ]
  expect(turnBetween(conversationOf(entries), 'p', 'kept')).toEqual({
    prompt: 'Go',
    follows: null,
    replies: [[{ type: 'text', text: 'right' }]],
    saidAt: [expect.any(Number)],
    heard: [[], []],
    endedAt: expect.any(Number),
  })
})

test('an error of the service is no reply', () => {
  const turn = wholeTurn(fixture('api-error'))
  expect(turn?.replies.flat().every((block) => block.type !== 'text' || !block.text.includes('API Error'))).toBe(true)
})

test('a turn that is not there is null', () => {
  const conversation = conversationOf([anEntry({ id: 'p', kind: 'prompt' }), anEntry({ id: 'q', kind: 'prompt' })])
  expect(turnBetween(conversation, 'gone', 'p')).toBeNull()
  expect(turnBetween(conversation, 'p', 'q')).toBeNull()
})

test('a sub-agent has one prompt, and the replies to it', () => {
  const { reader } = claude.transcript.subagents ?? { reader: () => () => [] }
  const text = readFileSync(
    new URL('../../../test/fixtures/claude/2.1.197/subagent-own.jsonl', import.meta.url),
    'utf8',
  )
  const read = reader()
  const helper = helperOf(text.split('\n').flatMap((line) => read(line)))
  expect(helper.prompt).not.toBe('')
  expect(helper.replies.length).toBeGreaterThan(0)
})
