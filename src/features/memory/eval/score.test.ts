import { expect, it } from 'vitest'
import type { HistoryRow } from './replay.ts'
import { type Guess, Scoreboard } from './score.ts'

let seq = 0
const row = (cmd: string, more: Partial<HistoryRow> = {}): HistoryRow => ({
  project: 'shop',
  session: 's',
  seq: seq++,
  cmd,
  exit: 0,
  ...more,
})
const guess = (p: number, ...commands: string[]): Guess[] => commands.map((cmd) => ({ cmd, p }))

it('counts lines and shapes, worked out by hand', () => {
  const board = new Scoreboard()
  board.add(row('ls'), [])
  board.add(row('cat a.txt', { exit: 1 }), guess(0.2, 'ls', 'cat b.txt', 'cat a.txt'))
  board.add(row('cat b.txt', { exit: null }), guess(0.5, 'cat  b.txt', 'ls'))
  board.add(row('git status'), guess(0.9, 'ls', 'pwd', 'cat a.txt', 'cat c.txt', 'who', 'git status'))
  // Ranks of the lines: none, 3rd, 1st, 6th; of the shapes: none, 2nd, 1st, 5th, as two of the list have one shape.
  expect(board.level('exact').micro).toEqual({
    n: 4,
    hit1: 25,
    hit3: 50,
    hit5: 50,
    mrr: 0.375,
    afterFailureHit5: 100,
    p1at10: null,
  })
  expect(board.level('template').micro).toMatchObject({ hit1: 25, hit3: 50, hit5: 75, mrr: 0.425 })
})

it('looks at the surest tenth', () => {
  const board = new Scoreboard()
  for (let index = 0; index < 20; index++) {
    const sure = index === 3 || index === 15 ? 0.9 : 0.1
    board.add(row('ls'), guess(sure, index < 10 ? 'ls' : 'pwd', 'ls'))
  }
  expect(board.level('exact').micro.p1at10).toBe(50)
})

it('gives each large group the same weight', () => {
  const board = new Scoreboard()
  const add = (count: number, project: string, right: boolean): void => {
    for (let index = 0; index < count; index++) board.add(row('ls', { project }), guess(1, right ? 'ls' : 'pwd'))
  }
  add(1000, 'large', true)
  add(200, 'small', false)
  add(3, 'tiny', true)
  expect(board.groups).toBe(3)
  expect(board.level('exact').macro).toEqual({ groups: 2, hit1: 50, hit3: 50, hit5: 50 })
  expect(board.level('exact').micro.hit1).toBe(83.4)
})

it('knows nothing of no commands', () => {
  const { micro, macro } = new Scoreboard().level('template')
  expect(micro).toMatchObject({ n: 0, hit1: null, mrr: null })
  expect(macro).toEqual({ groups: 0, hit1: null, hit3: null, hit5: null })
})

it('counts a failure only in its own session, and only the next command', () => {
  const board = new Scoreboard()
  board.add(row('make', { exit: 2 }), [])
  board.add(row('ls', { session: 'other' }), guess(1, 'pwd'))
  board.add(row('make clean'), guess(1, 'make clean'))
  board.add(row('ls'), guess(1, 'pwd'))
  expect(board.level('exact').micro.afterFailureHit5).toBe(100)
})
