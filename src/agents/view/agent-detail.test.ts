import { expect, test } from 'vitest'
import { aRecord, anAgent } from '../../../test/support/builders.ts'
import type { AnyNewRecord, AnyRecord, RecordBody } from '../../contract/record.ts'
import { createDetails, detailView } from './agent-detail.ts'
import type { Base } from '../../base/base.ts'

const agent = anAgent()
const turn = { conversation: agent.conversation ?? '', turn: 't' }
const usage = { inputTokens: 10, cacheTokens: 49_000, outputTokens: 990, model: 'claude-sonnet-4-5' }
const stored = (record: AnyNewRecord, seq: number): AnyRecord => ({ ...record, seq })
const entry = (given: Partial<RecordBody<'turn.entry'>>): AnyNewRecord =>
  aRecord('turn.entry', { ...turn, entry: 'e', role: 'assistant', blocks: [], ...given })
const prompt = aRecord('turn.started', { ...turn, entry: 'p', prompt: 'Fix\nit' })
const said = entry({ blocks: [{ type: 'text', text: 'On it.\nNow.' }], usage })
const tool = { type: 'tool_use', id: '1', name: 'Bash', input: { command: 'ls\n-la' } } as const
const result = entry({ role: 'user', blocks: [{ type: 'tool_result', id: '1', text: 'secret', isError: false }] })

const detailOf = (...records: AnyNewRecord[]) => detailView(agent, records.map(stored), 0)

test('an agent is shown by what it was asked, said or ran last', () => {
  expect(detailOf()).toEqual({ last: null, said: '', usage: null, window: null, percent: null })
  expect(detailOf(prompt).last).toEqual({ kind: 'prompt', text: 'Fix it' })
  expect(detailOf(prompt, said)).toEqual({
    last: { kind: 'text', text: 'On it. Now.' },
    said: 'On it.\nNow.',
    usage,
    window: 200_000,
    percent: 25,
  })
  expect(detailOf(prompt, said, entry({ blocks: [tool] }), result)).toMatchObject({
    last: { kind: 'tool', text: 'Bash ls -la' },
    said: 'On it.\nNow.',
  })
})

test('tokens that are told only at the end of a turn count, too', () => {
  const paid = { ...usage, costUsd: 0.5 }
  const ended = aRecord('turn.ended', { ...turn, leaf: 'e', reason: 'end_turn', entries: 1, usage: paid })
  expect(detailOf(prompt, ended).usage).toEqual(paid)
})

test('nothing is read again for an agent that did nothing since', () => {
  const read: number[] = []
  let seq = 1
  const log = {
    newestSeq: () => seq,
    readNewest: () => {
      read.push(seq)
      return [stored(prompt, seq)]
    },
  }
  const details = createDetails({ log, settings: { 'agents.context_window': 0 } } as unknown as Base)
  expect(details(agent)).toBe(details(agent))
  seq = 2
  details(agent)
  expect(read).toEqual([1, 2])
})
