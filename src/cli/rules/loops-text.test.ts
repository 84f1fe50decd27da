import { expect, test } from 'vitest'
import { aRecord, now } from '../../../test/support/builders.ts'
import type { LoopView } from '../../contract/routes/loops.ts'
import type { LogRecord } from '../../contract/record.ts'
import { loopTable, loopText } from './loops-text.ts'

const loop = { kind: 'failing' as const, calls: ['npm test'], count: 3, result: 'boom' }
const view: LoopView = {
  at: now,
  agent: 'worker',
  subagent: null,
  conversation: 'c',
  ...loop,
  seen: 'seen \u001b[31m',
  action: 'asked',
}

test('what was seen and done, newest first; nothing of it moves a cursor', () => {
  const [header, row, sub, more] = loopTable([view, { ...view, subagent: 'a1', action: 'stopped' }], now, 2).split('\n')
  expect(header).toMatch(/^WHEN +AGENT +DONE +SEEN$/)
  expect(row).toContain('a person was asked')
  expect(row).toContain(String.raw`seen \u{1b}[31m`)
  expect(sub).toMatch(/worker \(a1\) +was stopped/)
  expect(more).toBe('(The newest 2; --limit N shows more.)')
  expect(loopTable([], now, 2)).toBe('No loops were detected.')
})

test.each<[boolean, string]>([
  [
    false,
    'a person was asked: `npm test` failed 3 times in the same way (`boom`), and no file has changed in between.',
  ],
  [true, 'was not run: `npm test` failed 3 times in the same way (`boom`), and no file has changed in between.'],
])('a record in words, denied: %s', (isDenied, text) => {
  const record = aRecord('loop.asked', { loop, conversation: 'c', subagent: null, isDenied })
  expect(loopText({ ...record, seq: 1 } as LogRecord<'loop.asked'>)).toBe(text)
})
