import { describe, expect, test } from 'vitest'
import { createStyle } from '../output.ts'
import { controlTable, decidedText, decisionsText, usualLast, watchesText } from './text.ts'

const person = { style: createStyle(false), isAgent: false }
const now = new Date(2026, 0, 2, 12, 0, 0).getTime()

test('what an agent watches', () => {
  const watches = {
    handle: 'worker-1',
    project: 'shop',
    subjects: ['room:*', 'bus:*'],
    except: [],
    intervalS: null,
    rooms: ['general', 'ops'],
  }
  expect(watchesText(watches)).toBe('worker-1 (shop) watches room:* bus:*.\nRooms: general, ops.')
  expect(watchesText({ ...watches, except: ['room:ops'], rooms: ['general'], intervalS: 600 }).split('\n')).toEqual([
    'worker-1 (shop) watches room:* bus:*, but not room:ops.',
    'Rooms: general.',
    'It is asked to check its inbox after 10m of idleness.',
  ])
  expect(watchesText({ ...watches, subjects: [], rooms: [], intervalS: 0 }).split('\n')).toEqual([
    'worker-1 (shop) watches nothing.',
    'Rooms: none.',
    'It is never asked to check its inbox.',
  ])
})

test('what was said on a control topic, and what came of it', () => {
  const line = { line: 'register room:ops', at: now, by: 'worker-1', error: null }
  const lines = controlTable([line, { ...line, line: 'regster\n\u001b[2J', error: 'no such word' }], now).split('\n')
  expect(lines.map((each) => each.split(/ {2,}/))).toEqual([
    ['WHEN', 'BY', 'LINE', 'RESULT'],
    ['12:00:00', 'worker-1', 'register room:ops', 'done'],
    ['12:00:00', 'worker-1', 'regster \\u{1b}[2J', 'no such word'],
  ])
  expect(controlTable([], now)).toContain('No control lines')
  const many = Array.from({ length: usualLast + 5 }, (_, n) => ({ ...line, line: `# ${n}` }))
  const [, first, ...rest] = controlTable(many, now).split('\n')
  expect([first, rest.length, rest.at(-1)]).toEqual([
    expect.stringMatching(/ # 5 +done$/),
    usualLast,
    '(5 older ones: --json shows all.)',
  ])
})

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
    expect(decisionsText({ ...off, total: 0 }, now, person)).toContain('rein decision')
  })

  test('say how many there are besides, and how to see them', () => {
    const newest = Array.from({ length: usualLast }, (_, index) => ({ ...decision, n: index + 51, text: 'x' }))
    const lastLine = (total: number) =>
      decisionsText({ decisions: newest, total, every: 0 }, now, person).split('\n').at(-1)
    expect(lastLine(150)).toBe('(100 of 150 decisions; --last N shows more.)')
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
