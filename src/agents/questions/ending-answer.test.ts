import { expect, test } from 'vitest'
import { isEnding } from './ending-answer.ts'
import { parseAnswer } from './parse-answer.ts'

const trust = ['No, exit', 'Yes, I trust this folder']

test.each<[string, string, readonly string[], boolean]>([
  ['screen:trust:1', 'no', trust, true],
  ['screen:trust:1', 'N', trust, true],
  ['screen:trust:1', 'deny', trust, true],
  ['screen:trust:1', '1', trust, true],
  ['screen:trust:1', 'no, exit', trust, true],
  ['screen:trust:1', '2', trust, false],
  ['screen:trust:1', 'yes', trust, false],
  ['screen:trust:1', 'allow', trust, false],
  ['screen:settings error:1', 'Exit and fix manually', ['Exit and fix manually', 'Continue'], true],
  ['screen:API key:1', 'no', ['Yes', 'No (recommended)'], false],
  // The model asks, not the CLI.
  ['toolu_1', 'no', trust, false],
])('%s answered with %s', (id, said, options, ends) => {
  const question = { id, kind: 'question' as const, tool: '', input: {}, summary: '', options: [...options] }
  expect(isEnding(question, parseAnswer(said, 'question'))).toBe(ends)
})
