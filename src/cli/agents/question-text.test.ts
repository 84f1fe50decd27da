import { expect, test } from 'vitest'
import type { Question } from '../../contract/agent.ts'
import { createStyle } from '../output.ts'
import { answerLines, questionText } from './question-text.ts'

const bash: Question = {
  id: 'q',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'ls\nrm -r \u001b[2Jx', timeout: 5, env: { A: '\u001b' } },
  summary: 'Bash: ls',
}
const shown = (question: Question): string[] =>
  questionText('worker', { question, host: 'stream' }, createStyle(false)).split('\n')

test('the whole request, harmless to a terminal, and how to answer', () => {
  expect(shown(bash)).toEqual([
    'worker asks for permission: Bash',
    '',
    'command:',
    '  ls',
    '  rm -r \\u{1b}[2Jx',
    '',
    'timeout:',
    '  5',
    '',
    'env:',
    '  {',
    '    "A": "\\u001b"',
    '  }',
    '',
    'rein answer worker allow',
    'rein answer worker deny',
    "rein answer worker 'Try another way.'  deny it and say why, in your own words",
  ])
})

test('that a call can be allowed for good, where it can', () => {
  const lines = (canAlways: boolean) => answerLines('worker', { question: bash, host: 'stream', canAlways }).join('\n')
  expect(lines(true)).toMatch(/^rein answer worker allow --always +this call/m)
  expect(lines(false)).not.toContain('--always')
})

const trust: Question = {
  ...bash,
  id: 'screen:trust:1',
  kind: 'question',
  tool: 'trust',
  input: {},
  summary: 'Trust?',
  options: ['Yes, I trust this folder', 'No, exit'],
}

test('a dialog with the answers that it takes, to type as they stand', () => {
  expect(shown(trust)).toEqual([
    'worker asks: trust',
    '',
    'Trust?',
    '',
    'rein answer worker yes  Yes, I trust this folder',
    'rein answer worker no   No, exit',
  ])
})

test.each([
  [
    ['Red', 'Blue'],
    ['1', '2'],
  ],
  [
    ['Yes', 'Yes, and always', 'No'],
    ['1', '2', 'no'],
  ],
])('of %j each is chosen by what means no other', (options, words) => {
  const typed = answerLines('w', { question: { ...trust, options }, host: 'tmux' }).map((line) => line.split(' ')[3])
  expect(typed).toEqual(words)
})

test('a question of the model takes words of your own, too', () => {
  expect(answerLines('w', { question: { ...trust, id: 'q', options: ['Red'] }, host: 'tmux' })).toEqual([
    'rein answer w 1              Red',
    "rein answer w 'You decide.'  or anything else in your own words",
  ])
})

test.each(['tmux', 'pty'] as const)(
  'the dialog for a permission in %s takes no reason, that for a plan does',
  (host) => {
    expect(answerLines('w', { question: bash, host })).toEqual(['rein answer w allow', 'rein answer w deny'])
    expect(answerLines('w', { question: { ...bash, kind: 'plan' }, host })).toHaveLength(3)
    expect(answerLines('w', { question: { ...bash, id: 'held:1' }, host })).toHaveLength(3)
  },
)
