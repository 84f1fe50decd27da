import { expect, test } from 'vitest'
import type { Question } from '../../contract/agent.ts'
import { createStyle } from '../output.ts'
import { questionText } from './question-text.ts'

const bash: Question = {
  id: 'q',
  kind: 'permission',
  tool: 'Bash',
  input: { command: 'ls\nrm -r \u001b[2Jx', timeout: 5, env: { A: '\u001b' } },
  summary: 'Bash: ls',
}
const shown = (question: Question): string[] => questionText('worker', question, createStyle(false)).split('\n')

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
    'rein answer worker TEXT    denies it and says why',
  ])
})

test('a question with its options', () => {
  const question: Question = {
    ...bash,
    kind: 'question',
    tool: 'trust',
    input: {},
    summary: 'Trust?',
    options: ['Yes', 'No'],
  }
  expect(shown(question)).toEqual([
    'worker asks: trust',
    '',
    'Trust?',
    '',
    '  1. Yes',
    '  2. No',
    '',
    'rein answer worker TEXT    the name or number of an option, or your own words',
  ])
})
