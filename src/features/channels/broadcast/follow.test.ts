import { expect, test } from 'vitest'
import { now } from '../../../../test/support/builders.ts'
import { startLog, type TestLog } from '../../../../test/support/in-process-log.ts'
import { turnRecords } from '../../../../test/support/turn-records.ts'
import { openDatabase } from '../../../base/store/sqlite.ts'
import { followTurns, type Wanted } from './follow.ts'
import { TurnSource } from './source.ts'
import type { Item } from './turn-line.ts'

const open = ({ log, path }: TestLog) => ({
  source: new TurnSource({ reader: openDatabase(path, { readOnly: true }), handle: (id) => id }),
  news: (signal: AbortSignal) => log.changes(['turns'], signal),
})

const take = async (opened: TestLog, wanted: Wanted, count: number): Promise<Item[]> => {
  const items: Item[] = []
  for await (const item of followTurns(open(opened), wanted, new AbortController().signal))
    if (items.push(item) === count) break
  return items
}

const ends = (seqs: number[]): number => seqs.at(-1) ?? 0

test('what is there, then what comes, of one agent or of all', async () => {
  const opened = startLog()
  const a = ends(await opened.log.append(turnRecords({ turn: 'a' })))
  const [everybody, one, fromNow] = [
    take(opened, { after: 0, agent: null }, 3),
    take(opened, { after: 0, agent: 'agt_2' }, 1),
    take(opened, { after: null, agent: null }, 2),
  ]
  const b = ends(await opened.log.append(turnRecords({ turn: 'b', conversation: 'c2', agent: 'agt_2' })))
  const c = ends(await opened.log.append(turnRecords({ turn: 'c' })))
  expect(await everybody).toMatchObject([{ seq: a }, { seq: b }, { seq: c }])
  expect(await one).toMatchObject([{ seq: b, agent: 'agt_2' }])
  expect(await fromNow).toMatchObject([{ seq: b }, { seq: c }])
})

test('what is gone is told, and so is a position that never was', async () => {
  const opened = startLog()
  const a = ends(await opened.log.append(turnRecords({ turn: 'a' })))
  const b = ends(await opened.log.append(turnRecords({ turn: 'b', at: now + 10 })))
  await opened.log.prune('turns', now + 10)
  expect(await take(opened, { after: 0, agent: null }, 2)).toMatchObject([{ gap: { after: 0, until: a } }, { seq: b }])
  expect(await take(opened, { after: b + 9, agent: null }, 1)).toEqual([{ gap: { after: b + 9, until: b } }])
})

test('it ends when it is told to', async () => {
  const end = new AbortController()
  const turns = followTurns(open(startLog()), { after: null, agent: null }, end.signal)
  const next = turns.next()
  end.abort()
  expect(await next).toEqual({ done: true, value: undefined })
})
