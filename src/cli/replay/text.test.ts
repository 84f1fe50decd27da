import { expect, test } from 'vitest'
import type { ReplayedTurnView } from '../../contract/outputs/replay.ts'
import { createStyle } from '../output.ts'
import { previewText, replayedTurnText, replayEnd } from './text.ts'

const reader = { style: createStyle(false), isAgent: false }
const turn: ReplayedTurnView = {
  turn: '2',
  prompt: 'Take a name',
  isEqual: true,
  requests: { recorded: 2, replayed: 2 },
  differences: [],
  results: { equal: 1, different: 0 },
  calls: [],
  left: 0,
  unanswered: 0,
  tree: { recorded: 'aaaabbbbccccdddd', replayed: 'aaaabbbbccccdddd', files: [] },
}

test('a turn that went as recorded is one line', () => {
  expect(replayedTurnText(turn, reader)).toBe(
    'turn 2: as recorded  Take a name  (2 requests, 1 result, tree aaaabbbbcccc)',
  )
})

test('one that did not says what went otherwise', () => {
  const diverged: ReplayedTurnView = {
    ...turn,
    isEqual: false,
    differences: [{ request: 2, what: 'the result of Bash', recorded: 'a\u001b[31m', replayed: null }],
    calls: [{ tool: 'Bash', call: 'rm x', what: 'denied', why: 'no' }],
    left: 1,
    unanswered: 1,
    tree: { recorded: 'aaaabbbbccccdddd', replayed: 'eeee', files: [{ path: 'a\nb', kind: 'missing' }] },
  }
  expect(replayedTurnText(diverged, reader)).toBe(
    [
      'turn 2: diverged  Take a name  (2 requests, 1 result, tree eeee, was aaaabbbbcccc)',
      '  denied: Bash rm x (no)',
      '  request 2: the result of Bash differs',
      '      recorded: a\\u{1b}[31m',
      '      replayed: nothing',
      '  1 request without a recorded reply',
      '  1 recorded replies were not used',
      '  file missing: a\\u{a}b',
    ].join('\n'),
  )
})

test('the end names the first turn that diverged, another version, and what was kept', () => {
  const view = {
    session: 'ses_1',
    driver: 'claude',
    version: { recorded: '2.1.9', replayed: '2.1.197' },
    isEqual: false,
    divergedAt: '2',
    turns: [turn],
    outside: [],
    scratch: '/tmp/x',
  }
  expect(replayEnd(view, reader.style)).toBe(
    'It diverged first in turn 2.\nThe CLI was 2.1.9 then and is 2.1.197 now.\nKept: /tmp/x',
  )
})

test('a preview shows what would be run, in full, and what reaches out', () => {
  const long = `curl ${'x'.repeat(300)}`
  const turns = [{ turn: '1', prompt: 'Go', commands: [`${long}\n\u001b[2J`], files: ['a.txt'] }]
  const outside = [{ turn: '1', what: 'Bash: curl x', why: 'curl uses the network' }]
  const review = [{ path: '.mcp.json', class: 'agent', reason: 'settings of an agent' }]
  expect(previewText({ session: 's', driver: 'claude', root: '/src/shop', turns, review, outside }, reader)).toBe(
    [
      'In a copy of /src/shop:',
      'turn 1:',
      '    Go',
      `  runs   ${long}\\u{a}\\u{1b}[2J`,
      '  writes a.txt',
      '1 file can run or steer something; look at them:',
      '  settings of an agent: 1',
      '    .mcp.json',
      'Reaches out of the tree:',
      '  turn 1: Bash: curl x (curl uses the network)',
      'Nothing was run.',
    ].join('\n'),
  )
})
