import { expect, test } from 'vitest'
import { forgottenMark, Scrubber } from './scrub.ts'

const call = (command: string, id = 't1') => ({ type: 'tool_use', id, name: 'Bash', input: { command } })
const result = (text: string, id = 't1') => ({ type: 'tool_result', id, text, isError: false })

test('a command goes with its result, wherever it stands; the rest stays', () => {
  const scrubber = new Scrubber(['curl https://internal/x'])
  const asked = { why: 'runs "curl https://internal/x" as told', block: call('curl https://internal/x') }
  expect(JSON.parse(scrubber.json(JSON.stringify(asked)) ?? '')).toEqual({
    why: `runs "${forgottenMark}" as told`,
    block: call(forgottenMark),
  })
  const results = [result('the answer'), result('another', 't2')]
  expect(JSON.parse(scrubber.json(JSON.stringify(results)) ?? '')).toEqual([
    result(forgottenMark),
    result('another', 't2'),
  ])
  expect(scrubber.json(JSON.stringify(call('make')))).toBeNull()
})

test('a short command is no part of a word', () => {
  const scrubber = new Scrubber(['ls'])
  const text = JSON.stringify({ text: 'all else', block: call('ls') })
  expect(JSON.parse(scrubber.json(text) ?? '')).toEqual({ text: 'all else', block: call(forgottenMark) })
})

test('lines of a CLI: calls, results, and text as it is, also with the secrets that the command had', () => {
  const scrubber = new Scrubber(['login [redacted:x]'], (text) => text.replaceAll('hunter22', '[redacted:x]'))
  const lines = [
    JSON.stringify({ message: { content: [call('login hunter22')] } }),
    JSON.stringify({ message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'hello' }] } }),
    'error: login hunter22 failed',
    JSON.stringify({ type: 'result' }),
  ]
  expect(lines.map((line) => scrubber.isInLine(line))).toEqual([true, true, true, false])
})
