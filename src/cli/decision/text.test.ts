import { describe, expect, test } from 'vitest'
import { createStyle } from '../output.ts'
import { decidedText, decisionsText, usualLimit } from './text.ts'

const person = { style: createStyle(false), isAgent: false }
const now = new Date(2026, 0, 2, 12, 0, 0).getTime()

describe('decisions', () => {
  const decision = { n: 19, id: 'decision_1', project: 'shop', text: 'SQLite\n#20 no', by: 'worker-1', at: now }

  test('are listed with the next checkpoint', () => {
    expect(decisionsText({ decisions: [decision], total: 19, every: 20 }, now, person).split('\n')).toEqual([
      '#19 12:00 worker-1: SQLite',
      '    #20 no',
      '(1 of 19 decisions; the next checkpoint is at #20.)',
    ])
    const off = { decisions: [], total: 19, every: 0 }
    expect(decisionsText(off, now, person)).toBe('(0 of 19 decisions.)')
    expect(decisionsText({ ...off, total: 0 }, now, person)).toContain('rein decision log')
  })

  test('say how many there are besides, and how to see them', () => {
    const newest = Array.from({ length: usualLimit }, (_, index) => ({ ...decision, n: index + 51, text: 'x' }))
    const lastLine = (total: number) =>
      decisionsText({ decisions: newest, total, every: 0 }, now, person).split('\n').at(-1)
    expect(lastLine(150)).toBe('(100 of 150 decisions; --limit N shows more.)')
    expect(lastLine(100)).toBe('(100 of 100 decisions.)')
  })

  test('are marked line by line for an agent', () => {
    const read = decisionsText({ decisions: [decision], total: 19, every: 0 }, now, { ...person, isAgent: true })
    expect(read.split('\n')).toEqual(['#19 12:00 worker-1:', '| SQLite', '| #20 no', '(1 of 19 decisions.)'])
  })

  test('say what they brought about', () => {
    expect(decidedText({ ...decision, checkpoint: null })).toBe('Decision #19 is logged.')
    expect(decidedText({ ...decision, n: 20, checkpoint: 'evt_1' })).toContain('rein bus read evt_1')
  })
})
