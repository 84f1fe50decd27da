import { expect, test } from 'vitest'
import { person } from '../../../test/support/builders.ts'
import type { Move, MoveKind } from '../../contract/session.ts'
import { type KnownMove, redoable, undoable } from './moves.ts'

const move = (id: string, kind: MoveKind, of: string | null = null): Move => ({
  id,
  kind,
  of,
  agent: { id: 'agt_1', project: 'p', handle: 'worker' },
  session: 'ses_1',
  part: 'both',
  from: { conversation: 'c', turn: id },
  to: { conversation: 'c', turn: null },
  files: null,
  wasRunning: true,
})

const known = (one: Move, state: KnownMove['state'] = 'done'): KnownMove => ({
  move: one,
  actor: person,
  state,
  at: 0,
  endedAt: 0,
  conversation: 'd',
  reason: null,
  found: null,
  filesStay: false,
})

const after = (...moves: KnownMove[]) => [undoable(moves)?.id ?? null, redoable(moves)?.id ?? null]

const first = known(move('first', 'rewind'))
const second = known(move('second', 'rewind'))

test('nothing was done: nothing can be undone', () => {
  expect(after()).toEqual([null, null])
  expect(after(known(move('failed', 'rewind'), 'failed'), known(move('open', 'rewind'), 'open'))).toEqual([null, null])
})

test('a rewind can be taken back either way', () => {
  expect(after(first)).toEqual(['first', 'first'])
})

test('each undo takes back one more, each redo one less', () => {
  const undo = known(move('undo', 'undo', 'second'))
  const again = known(move('again', 'undo', 'first'))
  expect(after(first, second, undo)).toEqual(['first', 'undo'])
  expect(after(first, second, undo, again)).toEqual([null, 'again'])
  expect(after(first, second, undo, again, known(move('redo', 'redo', 'again')))).toEqual(['redo', 'undo'])
})

test('after the way forward of a rewind nothing is left to redo, and it can be undone', () => {
  expect(after(first, known(move('redo', 'redo', 'first')))).toEqual(['redo', null])
})

test('a new rewind makes an end to what was undone', () => {
  expect(after(first, known(move('undo', 'undo', 'first')), second)).toEqual(['second', 'second'])
})

test('the files of a move that failed and could not be put back can be taken back alone', () => {
  const stuck = { ...known(move('stuck', 'rewind'), 'failed'), filesStay: true }
  expect(undoable([first, stuck])).toMatchObject({ id: 'stuck', part: 'code' })
})
