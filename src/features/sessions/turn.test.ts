import { expect, test } from 'vitest'
import type { SnapshotCause } from '../../contract/session.ts'
import { placeSnapshots, type TakenSnapshot, type Turn } from './turn.ts'

const turn = (id: string, startedAt: number): Turn => ({
  session: 'ses_1',
  conversation: 'c',
  turn: id,
  n: 1,
  parent: null,
  agent: 'agt_1',
  prompt: id,
  startedAt,
  endedAt: null,
  leaf: null,
  reason: null,
  model: null,
  costUsd: null,
  seq: 0,
})

const taken = (cause: SnapshotCause, at: number): TakenSnapshot => ({
  conversation: 'c',
  cause,
  at,
  isClean: true,
  root: '/p',
  snapshot: { id: `${cause}@${at}`, tree: 't', head: null, branch: null },
  skipped: [],
})

/** By turn: the snapshots before and after it. */
const placed = (turns: Turn[], snapshots: TakenSnapshot[]) =>
  Object.fromEntries(
    [...placeSnapshots(turns, snapshots)].map(([id, { before, after }]) => [
      id,
      [before?.snapshot.id ?? null, after?.snapshot.id ?? null],
    ]),
  )

test('each turn begins with the snapshot of its prompt and ends with the last one before the next', () => {
  const snapshots = [taken('prompt', 10_000), taken('tool', 11_000), taken('stop', 12_000), taken('prompt', 20_000)]
  expect(placed([turn('a', 10_050), turn('b', 20_010)], [...snapshots, taken('stop', 22_000)])).toEqual({
    a: ['prompt@10000', 'stop@12000'],
    b: ['prompt@20000', 'stop@22000'],
  })
})

test('whether the hook or the clock of the CLI was first makes no difference', () => {
  const snapshots = [taken('prompt', 10_300), taken('stop', 12_000)]
  expect(placed([turn('a', 10_000)], snapshots)).toEqual({ a: ['prompt@10300', 'stop@12000'] })
})

test('a turn that nobody took a snapshot of has none, and takes none of its neighbours', () => {
  const snapshots = [taken('prompt', 10_000), taken('stop', 12_000), taken('prompt', 50_000), taken('stop', 51_000)]
  expect(placed([turn('a', 10_010), turn('unseen', 30_000), turn('c', 50_010)], snapshots)).toEqual({
    a: ['prompt@10000', 'stop@12000'],
    unseen: [null, null],
    c: ['prompt@50000', 'stop@51000'],
  })
})

test('turns that follow each other at once keep their own', () => {
  const snapshots = [taken('prompt', 10_000), taken('stop', 10_400), taken('prompt', 10_600), taken('stop', 10_900)]
  expect(placed([turn('a', 10_070), turn('b', 10_650)], snapshots)).toEqual({
    a: ['prompt@10000', 'stop@10400'],
    b: ['prompt@10600', 'stop@10900'],
  })
})
