import { describe, expect, test } from 'vitest'
import { anAgent, recording } from '../../../test/support/builders.ts'
import { Transcript } from '../../../test/support/transcript.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import { manifest } from '../../contract/manifest.ts'
import type { AnyNewRecord } from '../../contract/record.ts'
import { parse } from '../../drivers/claude/transcript.ts'
import { findDriver } from '../../drivers/registry.ts'
import { TurnTracker } from './turns.ts'

const entriesOf = (name: string, version?: string): ConversationEntry[] =>
  recording(name, version)
    .map(parse)
    .filter((entry) => entry !== null)
const track = (entries: ConversationEntry[]): AnyNewRecord[] => {
  const tracker = new TurnTracker(anAgent(), 'c1', findDriver('claude'))
  return [...entries.flatMap((entry) => tracker.add(entry)), ...tracker.end('idle')]
}
const types = (records: AnyNewRecord[]): string[] => records.map(({ type }) => type.replace('turn.', ''))
const blocks = (records: AnyNewRecord[]): string[] =>
  records.flatMap((record) => (record.type === 'turn.entry' ? record.body.blocks.map(({ type }) => type) : []))

const names = [
  'run-say',
  'thinking',
  'parallel-tools',
  'hook-context',
  'stop-blocked',
  'stop-context',
  'compaction',
  'api-error',
  'interrupt',
  'queued-prompt',
  'subagent',
  'streamed-tools',
]

describe.each(names)('%s', (name) => {
  test('every record is as the manifest says, and has an id of its own', () => {
    const records = track(entriesOf(name))
    for (const { type, body } of records) expect(manifest[type].body.parse(body)).toEqual(body)
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length)
  })

  test('read twice, it gives the same records: the log writes them once', () => {
    const entries = entriesOf(name)
    expect(track([...entries, ...entries])).toEqual(track(entries))
    expect(track(entries)).toEqual(track(entries))
  })

  test('nothing that was said is left out', () => {
    const entries = entriesOf(name)
    const records = track(entries)
    const told = entries.filter(({ kind, blocks: some }) => kind !== 'prompt' && some.length > 0).map(({ id }) => id)
    const written = new Set(records.flatMap((record) => (record.type === 'turn.entry' ? record.body.entry : [])))
    const prompts = new Set(records.flatMap((record) => (record.type === 'turn.started' ? record.body.entry : [])))
    const first = entries.findIndex(({ id }) => prompts.has(id))
    const before = new Set(entries.slice(0, first).map(({ id }) => id))
    expect(told.filter((id) => !written.has(id) && !before.has(id))).toEqual([])
  })
})

test('a turn: its prompt, its entries, its end with the last entry and what it cost', () => {
  const entries = entriesOf('run-say')
  const records = track(entries)
  expect(types(records)).toEqual(['started', 'entry', 'entry', 'entry', 'ended'])
  expect(records[0]?.body).toMatchObject({ conversation: 'c1', prompt: 'RUN:echo hi ;; SAY:done' })
  expect(blocks(records)).toEqual(['tool_use', 'tool_result', 'text'])
  expect(records.at(-1)?.body).toMatchObject({
    reason: 'idle',
    leaf: entries.at(-1)?.id,
    usage: { model: expect.any(String) },
  })
})

test('what the replies of a turn cost adds up; their tokens are those of the newest', () => {
  const usage = { inputTokens: 1, outputTokens: 2, model: 'm' }
  const [prompt, ...others] = entriesOf('run-say')
  const paid = others.map(
    (entry, n): ConversationEntry => ({ ...entry, usage: { ...usage, inputTokens: n, costUsd: 0.25 } }),
  )
  const all = prompt === undefined ? paid : [prompt, ...paid]
  expect(track(all).at(-1)?.body).toMatchObject({
    usage: { inputTokens: others.length - 1, costUsd: 0.25 * others.length },
  })
})

test('the next prompt ends the turn before it', () => {
  const ends = track(entriesOf('interrupt')).flatMap((record) =>
    record.type === 'turn.ended' ? record.body.reason : [],
  )
  expect(ends).toEqual(['next_prompt', 'idle'])
})

test('a turn ends once', () => {
  const tracker = new TurnTracker(anAgent(), 'c1', findDriver('claude'))
  expect(tracker.end('idle')).toEqual([])
  for (const entry of entriesOf('run-say')) tracker.add(entry)
  expect(tracker.end('idle')).toHaveLength(1)
  expect(tracker.end('exit')).toEqual([])
})

test('what is written after the end still belongs to the turn', () => {
  const tracker = new TurnTracker(anAgent(), 'c1', findDriver('claude'))
  const entries = entriesOf('run-say')
  for (const entry of entries.slice(0, -1)) tracker.add(entry)
  tracker.end('idle')
  expect(tracker.add(entries.at(-1) as ConversationEntry)).toMatchObject([
    { type: 'turn.entry', body: { turn: entries[0]?.id } },
  ])
})

test("a sub-agent's start and stop, with what it was asked and what it said", () => {
  const records = track(entriesOf('subagent'))
  const told = records.filter(({ type }) => type.startsWith('turn.subagent'))
  const [subagent] = told.map(({ body }) => (body as { subagent: string }).subagent)
  expect(told).toMatchObject([
    { type: 'turn.subagent_started', body: { kind: 'general-purpose', description: 'd', subagent } },
    { type: 'turn.subagent_stopped', body: { result: expect.stringContaining('sub done'), subagent } },
  ])
})

test('a sub-agent in the background stops when its end is told, not when it was begun', () => {
  const steps = (name: string): string[] => types(track(entriesOf(name, '2.1.326'))).filter((type) => type !== 'entry')
  const own = ['started', 'subagent_started', 'ended', 'started', 'subagent_stopped', 'ended']
  expect(steps('background-agent')).toEqual(own)
  const [begun, over] = ['subagent_started', 'subagent_stopped']
  expect(steps('background-queued')).toEqual(['started', begun, begun, over, over, 'ended', 'started', 'ended'])
  const stopped = track(entriesOf('background-agent', '2.1.326')).find(({ type }) => type === 'turn.subagent_stopped')
  expect(stopped?.body).toMatchObject({ result: 'sub done' })
})

test('who said it: context and feedback are neither the user nor the model', () => {
  const transcript = new Transcript()
  transcript.prompt('Go.')
  transcript.call('ls')
  transcript.result('a')
  transcript.hookContext('PostToolBatch', 'context')
  transcript.reply('Done.')
  transcript.feedback('Go on.')
  const roles = track(transcript.entries).flatMap((record) => (record.type === 'turn.entry' ? record.body.role : []))
  expect(roles).toEqual(['assistant', 'user', 'system', 'assistant', 'system'])
})

test('what comes before the first prompt is no turn', () => {
  const transcript = new Transcript()
  transcript.hookContext('SessionStart', 'context')
  expect(track(transcript.entries)).toEqual([])
})
