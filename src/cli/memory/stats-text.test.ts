import { expect, test } from 'vitest'
import type { ConductView, StatsView } from '../../contract/routes/memory.ts'
import { statsText, verdictOf } from './stats-text.ts'
import { createStyle } from '../output.ts'

const style = createStyle(false)
const none: ConductView = {
  sessions: 0,
  commands: 0,
  failed: null,
  retries: null,
  wrongTool: null,
  unique: null,
  wastedTokens: 0,
  wastedMinutes: 0,
}
const some: ConductView = {
  sessions: 2,
  commands: 40,
  failed: 0.1,
  retries: 0.025,
  wrongTool: 0.05,
  unique: 12.5,
  wastedTokens: 1234.4,
  wastedMinutes: 3.25,
}

const stats: StatsView = {
  project: 'shop',
  since: new Date(2026, 0, 1).getTime(),
  total: some,
  people: none,
  agents: [{ author: 'claude', ...some }],
  programs: [
    { program: 'npm test', runs: 20, failed: 0.5, target: null },
    { program: 'git commit', runs: 4, failed: 0.25, target: 0.15 },
    { program: 'mkdir', runs: 4, failed: 0, target: 0 },
  ],
  perDay: [
    { day: '2026-01-01', commands: 10, known: 10, failed: 0 },
    { day: '2026-01-02', commands: 0, known: 0, failed: 0 },
    { day: '2026-01-03', commands: 40, known: 30, failed: 3 },
  ],
  advice: {
    decisions: 9,
    shown: 2,
    followed: 1,
    followedOk: 1,
    kinds: [
      { kind: 'fix', shown: 2, followed: 1, followedOk: 1 },
      { kind: 'tool', shown: 1, followed: 0, followedOk: 0 },
    ],
    silent: [{ why: 'not sure enough', count: 7 }],
  },
  trial: { advised: some, heldOut: none, before: none, failedDifference: null },
  secrets: 1,
}

test('figures are plots and tables', () => {
  expect(statsText(stats, style).split('\n')).toEqual([
    'shop since 2026-01-01: 40 commands in 2 sessions, 10.0 % failed.',
    '',
    'By day, 2026-01-01 to 2026-01-03',
    '  commands  ▃▁█  at most 40',
    '  failed    ▁ █  at most 10.0 %',
    '',
    '                     ALL     CLAUDE  GOAL',
    'sessions             2       2',
    'commands             40      40',
    'failed               10.0 %  10.0 %  5.0 %',
    'retried              2.5 %   2.5 %',
    'wrong tool           5.0 %   5.0 %   1.0 %',
    'different a session  12.5    12.5',
    'tokens wasted        1234    1234',
    'minutes wasted       3.3     3.3',
    '',
    'PROGRAM     RUNS  FAILED  GOAL',
    'npm test    20    50.0 %                   ████████',
    'git commit  4     25.0 %  not yet, 15.0 %  ████',
    'mkdir       4     0.0 %   reached, 0.0 %',
    '',
    'Advice: 9 decisions; something was said 2 times. A command it named was run next 1 time, and succeeded 1 time.',
    'SAID  TIMES  FOLLOWED  AND IT WORKED',
    'fix   2      1         1',
    'tool  1      -         -',
    'Nothing was said because:',
    '  7  not sure enough',
    '',
    'Does it help?',
    '                     ADVISED  HELD OUT  BEFORE',
    'sessions             2        0         0',
    'commands             40       0         0',
    'failed               10.0 %   -         -',
    'retried              2.5 %    -         -',
    'wrong tool           5.0 %    -         -',
    'different a session  12.5     -         -',
    'tokens wasted        1234     0         0',
    'minutes wasted       3.3      0.0       0.0',
    'Too early to tell: there are too few conversations with advice, or too few that were held out.',
    '',
    '1 secret taken out before anything was stored.',
  ])
})

test('all fits on a terminal, however long the names are', () => {
  const author = 'an-agent-with-a-long-name'
  const long = { ...stats, people: some, agents: Array.from({ length: 9 }, () => ({ author, ...some })) }
  const programs = [{ program: 'p'.repeat(80), runs: 12_345, failed: 1, target: 0.15 }]
  const days = Array.from({ length: 365 }, (_, day) => ({ day: `d${day}`, commands: 100, known: 100, failed: 1 }))
  const text = statsText({ ...long, programs, perDay: days }, style).split('\n')
  expect(text.filter((line) => line.length > 80 && !line.startsWith('Advice') && !line.startsWith('Too'))).toEqual([])
})

test('before anything was said there is nothing to compare', () => {
  const trial = { ...stats.trial, advised: none }
  expect(statsText({ ...stats, trial }, style)).not.toContain('Does it help')
})

test('nothing is said in one line', () => {
  expect(statsText({ ...stats, project: null, total: none }, style)).toBe(
    'All projects: no command was run since 2026-01-01.',
  )
})

test.each([
  [{ points: -2.1, low: -4, high: -0.2 }, 'It helps. Of 100 commands 2.1 fewer failed'],
  [{ points: -2.1, low: -4, high: 1 }, 'Too early to tell: it may be chance.'],
  [{ points: 2.1, low: 0.5, high: 4 }, 'It does harm.'],
  [null, 'Too early to tell: there are too few'],
])('%j is a plain sentence', (difference, said) => {
  expect(verdictOf(difference)).toContain(said)
})
