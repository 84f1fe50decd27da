import { describe, expect, test } from 'vitest'
import type { Directive } from '../../contract/directive.ts'
import type { AnyRecord, RecordBody, RecordType } from '../../contract/record.ts'
import type { TurnBlock } from '../../contract/turn.ts'
import { wakeSentence } from '../../contract/wake.ts'
import { Feed } from './feed.ts'

const topicOf = (type: string): string => `${type.split('.')[0]}s`

const record = <T extends RecordType>(seq: number, type: T, body: RecordBody<T>, cause?: string): AnyRecord =>
  ({
    seq,
    id: `rec_${seq}`,
    topic: topicOf(type),
    type,
    v: 1,
    at: seq * 1_000,
    actor: { kind: 'daemon' },
    agent: 'agent_1',
    project: 'shop',
    cause: cause ?? null,
    body,
  }) as unknown as AnyRecord

const directive: Directive = {
  id: 'dir_1',
  agent: { id: 'agent_1', project: 'shop', handle: 'ada' },
  from: 'the user',
  sender: { kind: 'user', name: 'user' },
  type: 'directive',
  priority: 'normal',
  text: 'Use tabs.',
  nonce: 'n',
  acceptedAt: 1_000,
  expiresAt: null,
}

const ref = { conversation: 'c', turn: 't1' }
const accepted = (seq: number) => record(seq, 'directive.accepted', { directive })
const prompt = (seq: number, entry: string, text = 'Go.') =>
  record(seq, 'turn.started', { ...ref, prompt: text, entry })
const entry = (seq: number, id: string, role: 'user' | 'assistant' | 'system', ...blocks: TurnBlock[]) =>
  record(seq, 'turn.entry', { ...ref, entry: id, role, blocks })
const said = (text: string): TurnBlock => ({ type: 'text', text })
const evidence = (at: string) => ({ evidence: { source: 'transcript', conversation: 'c', entry: at } as const })
const offered = (seq: number) =>
  record(seq, 'directive.offered', { attempt: 1, via: 'context', parts: [1], partCount: 1 }, 'dir_1')
const placed = (seq: number, at: string) => record(seq, 'directive.placed', evidence(at), 'dir_1')

const feedOf = (...records: AnyRecord[]): Feed => {
  const feed = new Feed()
  for (const each of records) feed.add(each)
  return feed
}
const kinds = (feed: Feed): string[] => feed.view().rows.map(({ kind }) => kind)

describe('rows', () => {
  test('a turn is a prompt, replies and an end', () => {
    const ended = record(4, 'turn.ended', { ...ref, leaf: 'e2', reason: 'stopped', entries: 2, usage: null })
    expect(kinds(feedOf(prompt(1, 'e1'), entry(2, 'e2', 'assistant', said('Done.')), ended))).toEqual([
      'prompt',
      'reply',
      'ended',
    ])
  })

  test('a record that comes twice counts once', () => {
    expect(kinds(feedOf(prompt(1, 'e1'), prompt(1, 'e1')))).toEqual(['prompt'])
  })

  test('the result of a tool is found by its call', () => {
    const feed = feedOf(
      prompt(1, 'e1'),
      entry(2, 'e2', 'assistant', { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'ls' } }),
      entry(3, 'e3', 'user', { type: 'tool_result', id: 'call', text: 'a.ts', isError: false }),
    )
    expect(feed.view().results.get('call')).toEqual({ text: 'a.ts', isError: false })
    expect(feed.view().rows.at(-1)).toMatchObject({ kind: 'context', blocks: [] })
  })

  test('a prompt of Rein itself is marked', () => {
    const rows = feedOf(prompt(1, 'e1', wakeSentence), prompt(2, 'e2', '<rein-directive id="dir_1" from="x">')).view()
      .rows
    expect(rows).toMatchObject([{ isOwn: true }, { isOwn: true }])
  })

  test('older records come before', () => {
    const whole = feedOf(prompt(5, 'e5'), prompt(9, 'e9')).withOlder([prompt(1, 'e1'), prompt(2, 'e2')])
    expect(whole.view().rows.map(({ seq }) => seq)).toEqual([1, 2, 5, 9])
    expect([whole.firstSeq, whole.lastSeq]).toEqual([1, 9])
  })
})

describe('only the newest records', () => {
  test('are what there is, with what was told before them and is not over', () => {
    const cancelled = { ...directive, id: 'dir_2' }
    const feed = feedOf(
      accepted(1),
      record(2, 'directive.accepted', { directive: cancelled }),
      record(3, 'directive.cancelled', {}, 'dir_2'),
      prompt(4, 'e4'),
      prompt(5, 'e5'),
    )
    const newest = feed.newest(2)
    expect([newest.count, newest.firstSeq, kinds(newest)]).toEqual([2, 4, ['prompt', 'prompt']])
    expect(newest.view().pending).toEqual(['dir_1'])
    newest.add(offered(6))
    newest.add(placed(7, 'e5'))
    expect(newest.newest(3).view().proven).toEqual(new Map([['e5', ['dir_1']]]))
  })

  test('with older ones before them, all that was told is known once', () => {
    const feed = feedOf(accepted(1), offered(2), prompt(3, 'e3'), prompt(4, 'e4'))
    expect(
      feed
        .newest(1)
        .withOlder([prompt(3, 'e3')])
        .view().pending,
    ).toEqual(['dir_1'])
    const whole = feed.newest(1).withOlder([accepted(1), offered(2), prompt(3, 'e3')])
    expect(whole.view().directives.get('dir_1')?.steps).toHaveLength(2)
  })
})

describe('directives', () => {
  test('that were told before all records stand first, and no step counts twice', () => {
    const sent = (id: string, state: 'offered' | 'seen') => {
      const steps = [
        { state: 'queued' as const, at: 100 },
        { state, at: 3_000 },
      ]
      return { directive: { ...directive, id }, state, steps, seq: 0 }
    }
    const feed = feedOf(prompt(1, 'e1'), record(2, 'directive.accepted', { directive: { ...directive, id: 'dir_9' } }))
    feed.addOlder([sent('dir_1', 'offered'), sent('dir_2', 'seen')])
    feed.add(offered(3))
    expect(feed.view().pending).toEqual(['dir_1', 'dir_9'])
    expect(feed.view().directives.get('dir_1')?.steps).toHaveLength(2)
    feed.add(placed(4, 'e1'))
    expect(feed.view().proven.get('e1')).toEqual(['dir_1'])
  })

  test('stand at the end until something proves them', () => {
    const feed = feedOf(prompt(1, 'e1'), accepted(2), offered(3))
    expect(feed.view().pending).toEqual(['dir_1'])
    expect(feed.view().directives.get('dir_1')?.state).toBe('offered')
  })

  test('stand at the entry that proves them, in each later state', () => {
    const feed = feedOf(prompt(1, 'e1'), accepted(2), offered(3))
    feed.add(entry(4, 'e4', 'system', { type: 'context', source: 'PostToolUse', text: 'fence' }))
    feed.add(placed(5, 'e4'))
    expect(feed.view().pending).toEqual([])
    expect(feed.view().proven).toEqual(new Map([['e4', ['dir_1']]]))
    feed.add(record(6, 'directive.seen', evidence('e4'), 'dir_1'))
    feed.add(record(7, 'directive.acked', { evidence: { source: 'command' }, note: 'ok' }, 'dir_1'))
    expect(feed.view().proven.get('e4')).toEqual(['dir_1'])
    expect(
      feed
        .view()
        .directives.get('dir_1')
        ?.steps.map(({ state }) => state),
    ).toEqual(['queued', 'offered', 'placed', 'seen', 'acked'])
  })

  test('one that is queued again is proven by nothing', () => {
    const feed = feedOf(prompt(1, 'e1'), accepted(2), offered(3), placed(4, 'e1'))
    feed.add(record(5, 'directive.requeued', { reason: 'left_context' }, 'dir_1'))
    expect(feed.view().pending).toEqual(['dir_1'])
    expect(feed.view().proven.size).toBe(0)
    feed.add(record(6, 'directive.cancelled', {}, 'dir_1'))
    expect(feed.view().proven.size).toBe(0)
    expect(kinds(feed)).toEqual(['prompt', 'directive'])
  })

  test('one whose entry is not here stands where its last step is', () => {
    const feed = feedOf(prompt(1, 'e1'), accepted(2), placed(3, 'elsewhere'), prompt(4, 'e4'))
    expect(kinds(feed)).toEqual(['prompt', 'directive', 'prompt'])
  })

  test('one that was cancelled stands where that happened, and changes no more', () => {
    const feed = feedOf(prompt(1, 'e1'), accepted(2), record(3, 'directive.cancelled', {}, 'dir_1'), offered(4))
    expect(feed.view().directives.get('dir_1')?.state).toBe('cancelled')
    expect(kinds(feed)).toEqual(['prompt', 'directive'])
  })
})
