import { expect, test } from 'vitest'
import { agentRef, anAgent, now, recording } from '../../../../test/support/builders.ts'
import { emptyDatabase } from '../../../../test/support/in-process-log.ts'
import { Transcript } from '../../../../test/support/transcript.ts'
import { turnEnded, turnEntry, turnRecords, turnStarted } from '../../../../test/support/turn-records.ts'
import { TurnTracker } from '../../../agents/conversation/turns.ts'
import type { AnyNewRecord, RecordBody } from '../../../contract/record.ts'
import type { TurnBlock, TurnLine } from '../../../contract/turn.ts'
import { parse } from '../../../drivers/claude/transcript.ts'
import { findDriver } from '../../../drivers/registry.ts'
import { append } from '../../../base/log/store.ts'
import { pruneAll } from '../../../../test/support/prune.ts'
import type { Database } from '../../../base/store/sqlite.ts'
import { TurnSource } from './source.ts'
import { type Item, positionOf } from './turn-line.ts'

const text = (value: string): TurnBlock => ({ type: 'text', text: value })

const open = (): { db: Database; source: TurnSource; write: (...records: AnyNewRecord[]) => number[] } => {
  const db = emptyDatabase()
  const handle = (id: string) => (id === agentRef.id ? agentRef.handle : null)
  const write = (...records: AnyNewRecord[]) => records.map((record) => append(db, record).seq)
  return { db, source: new TurnSource({ reader: db, handle }), write }
}

const all = (source: TurnSource, after = 0, agent: string | null = null): Item[] => {
  const items: Item[] = []
  for (let item = source.next(after, agent); item !== null; item = source.next(positionOf(item), agent))
    items.push(item)
  return items
}

test('a turn: who, when, what it was asked, every block in order, why it ended', () => {
  const { source, write } = open()
  const blocks: TurnBlock[] = [
    { type: 'thinking', thinking: 'Hm.' },
    text('Sure.'),
    { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } },
    { type: 'tool_result', id: 't1', text: 'a.txt', isError: false },
  ]
  const seqs = write(...turnRecords({ turn: 'a', blocks, at: now + 5 }))
  expect(all(source)).toEqual([
    {
      seq: seqs.at(-1),
      ts: now + 5,
      session: 'c1',
      agent: 'worker',
      project: agentRef.project,
      prompt: 'prompt a',
      turn: blocks,
      reason: 'idle',
      usage: null,
    },
  ])
})

/** The same blocks, but for text that the CLI itself wrote. */
const asTold = ({ role, blocks }: RecordBody<'turn.entry'>): TurnBlock[] =>
  blocks.map((block) =>
    role === 'system' && block.type === 'text' ? { type: 'context', source: 'cli', text: block.text } : block,
  )

test('what the CLI tells the model is no text of the agent, and no turn of its own when it comes late', () => {
  const { source, write } = open()
  const tracker = new TurnTracker(anAgent(), 'c1', findDriver('claude'))
  const transcript = new Transcript()
  const reminder = '<system-reminder>\nYou used these tools before.\n</system-reminder>'
  transcript.prompt('Hello')
  transcript.prompt(reminder, { isMeta: true })
  transcript.reply('Hi.')
  write(...transcript.entries.flatMap((entry) => tracker.add(entry)), ...tracker.end('idle'))
  transcript.prompt(reminder, { isMeta: true })
  write(...transcript.entries.flatMap((entry) => tracker.add(entry)))
  expect(all(source)).toMatchObject([
    { prompt: 'Hello', turn: [{ type: 'context', source: 'cli', text: reminder }, text('Hi.')], reason: 'idle' },
  ])
  expect(all(source)).toHaveLength(1)
})

test.each(['thinking', 'parallel-tools', 'subagent', 'interrupt'])(
  '%s, as Claude Code writes it: no block is left out',
  (name) => {
    const { source, write } = open()
    const tracker = new TurnTracker(anAgent(), 'c1', findDriver('claude'))
    const entries = recording(name)
      .map(parse)
      .filter((entry) => entry !== null)
    const records = [...entries.flatMap((entry) => tracker.add(entry)), ...tracker.end('idle')]
    write(...records)
    const lines = all(source) as TurnLine[]
    const blocks = records.flatMap((record) => (record.type === 'turn.entry' ? asTold(record.body) : []))
    expect(lines.flatMap(({ turn }) => turn)).toEqual(blocks)
    expect(lines.map(({ prompt }) => prompt)).toEqual(
      records.flatMap((record) => (record.type === 'turn.started' ? record.body.prompt : [])),
    )
  },
)

test('turns of several agents and conversations that run side by side are kept apart', () => {
  const { source, write } = open()
  const sides = [
    { turn: 'a' },
    { turn: 'a', conversation: 'c2' },
    { turn: 'a', conversation: 'c3', agent: 'agt_2' },
  ] as const
  write(...sides.map(turnStarted))
  write(...sides.map((side, index) => turnEntry(side, 'e', text(`of ${index}`))))
  write(...sides.map(turnEnded).toReversed())
  const told = (items: Item[]) => items.map((item) => 'turn' in item && [item.session, item.agent, item.turn])
  const first = ['c3', 'agt_2', [text('of 2')]]
  expect(told(all(source))).toEqual([first, ['c2', 'worker', [text('of 1')]], ['c1', 'worker', [text('of 0')]]])
  expect(told(all(source, 0, 'agt_2'))).toEqual([first])
})

test('what is written after the end of its turn comes by itself', () => {
  const { source, write } = open()
  const [started, entry, ended] = turnRecords({ turn: 'a' })
  write(started as AnyNewRecord, entry as AnyNewRecord, ended as AnyNewRecord)
  const [, late] = write(...turnRecords({ turn: 'b' }).slice(0, 1), turnEntry({ turn: 'a' }, 'late', text('late')))
  write(...turnRecords({ turn: 'b' }).slice(1))
  expect(all(source)).toMatchObject([
    { prompt: 'prompt a', turn: [text('reply a')], reason: 'idle' },
    { seq: late, prompt: null, turn: [text('late')], reason: 'late' },
    { prompt: 'prompt b', turn: [text('reply b')], reason: 'idle' },
  ])
})

test('a turn is not there before its end, and the newest is found however much follows it', () => {
  const { source, write } = open()
  const records = turnRecords({ turn: 'a' })
  write(...records.slice(0, -1))
  expect([source.next(0, null), source.newest(0)]).toEqual([null, null])
  const [end = 0] = write(...records.slice(-1))
  write(turnStarted({ turn: 'b' }))
  expect([source.newest(0), source.newest(end), source.last]).toEqual([end, null, end + 1])
})

test('what was pruned is a gap, and a turn that lost its beginning says so', () => {
  const { db, source, write } = open()
  write(...turnRecords({ turn: 'a' }))
  const records = turnRecords({ turn: 'b', blocks: [text('one'), text('two')], at: now + 10 })
  const [, , two = 0, end = 0] = write(...records.map((record, index) => ({ ...record, at: now + 10 * index })))
  pruneAll(db, 'turns', now + 20)
  expect(all(source)).toMatchObject([
    { gap: { after: 0, until: two - 1 } },
    { seq: end, prompt: null, turn: [text('two')], reason: 'idle' },
  ])
  expect(source.next(two - 1, null)).toMatchObject({ seq: end })
})

test('every question is answered from an index', () => {
  const { db, source, write } = open()
  write(...turnRecords({ turn: 'a' }))
  const asked: string[] = []
  const reader: Database = {
    ...db,
    prepare: (sql) => {
      asked.push(sql)
      return db.prepare(sql)
    },
  }
  const watched = new TurnSource({ reader, handle: () => null })
  watched.newest(0)
  watched.next(0, null)
  watched.next(0, 'agt_1')
  expect(source.last).toBeGreaterThan(0)
  const plans = asked.flatMap((sql) => {
    const values = Array.from({ length: sql.split('?').length - 1 }, () => 0)
    return db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values)
  })
  expect(plans.map(({ detail }) => String(detail)).filter((step) => /^SCAN|TEMP B-TREE/.test(step))).toEqual([])
})
