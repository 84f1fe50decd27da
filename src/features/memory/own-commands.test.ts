import { expect, test } from 'vitest'
import type { Command } from '../../contract/command.ts'
import { LineCache } from '../../base/shell/line-cache.ts'
import { toLearn } from './own-commands.ts'

const learnt = (command: string, source: Command['source'] = 'hook'): string | undefined =>
  toLearn({ command, source } as Command, new LineCache())?.command

test.each([
  ['npm test', 'npm test'],
  ['rein memory show', undefined],
  ['cd app && rein memory next', undefined],
  ['rein memory diagnose', undefined],
  ['rein memory diagnose -- npm test --watch', 'npm test --watch'],
  ['cd app && rein memory diagnose --json -- npm test', 'cd app && npm test'],
  ['npm test; rein memory history', 'npm test; rein memory history'],
  ['cd rein && make', 'cd rein && make'],
])('of %j, what is learnt is %j', (command, wanted) => {
  expect(learnt(command)).toBe(wanted)
})

test('what a person had diagnosed is learnt from what that told, not from the line in the shell', () => {
  expect(learnt('rein memory diagnose -- npm test', 'shell')).toBeUndefined()
  expect(learnt('npm test', 'ingest')).toBe('npm test')
})
