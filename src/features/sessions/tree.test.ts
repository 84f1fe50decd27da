import { expect, test } from 'vitest'
import { TurnTree } from './tree.ts'
import type { Turn } from './turn.ts'

const turn = (id: string, n: number, parent: Turn | null, conversation = 'c'): Turn => ({
  session: 'ses_1',
  conversation,
  turn: id,
  n,
  parent: parent === null ? null : { conversation: parent.conversation, turn: parent.turn },
  agent: 'agt_1',
  prompt: id,
  startedAt: 0,
  endedAt: null,
  leaf: null,
  reason: null,
  model: null,
  costUsd: null,
  seq: 0,
})

const first = turn('a', 1, null)
const second = turn('b', 2, first)
const third = turn('c', 3, second)
const other = turn('b2', 2, first, 'd')
const afterOther = turn('c2', 3, other, 'd')
const tree = new TurnTree([first, second, third, other, afterOther])

test('the first turn of a number has the number, later ones a letter, and the names stay', () => {
  expect(tree.turns.map((one) => tree.labelOf(one))).toEqual(['1', '2', '3', '2b', '3b'])
  expect(new TurnTree(tree.turns.slice(0, 4)).labelOf(other)).toBe('2b')
  expect(tree.find('3b')).toBe(afterOther)
  expect(tree.find('0')).toBeNull()
})

test('of very many turns of one number each has another name', () => {
  const many = new TurnTree(Array.from({ length: 2000 }, (_, index) => turn(`t${index}`, 1, null, `c${index}`)))
  const labels = many.turns.map((one) => many.labelOf(one))
  expect(new Set(labels).size).toBe(2000)
  expect(labels.slice(24, 28)).toEqual(['1y', '1z', '1aa', '1ab'])
})

test('a turn that is not there is refused with those that are', () => {
  expect(() => tree.find('4')).toThrow('There is no turn 4')
})

test('the way to a turn leads over conversations', () => {
  expect(tree.pathTo(afterOther)).toEqual([first, other, afterOther])
  expect(tree.pathTo(null)).toEqual([])
  expect(tree.isLast(second)).toBe(false)
  expect(tree.isLast(third)).toBe(true)
})
