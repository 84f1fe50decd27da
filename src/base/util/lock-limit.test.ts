import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { ownLockLimit } from './lock-limit.ts'

test('a system that does not show the limits of a process has none', () => {
  expect(ownLockLimit(join(tempDir(), 'limits'))).toBe(Number.POSITIVE_INFINITY)
})

test('a failure to read them does not say that there is none', () => {
  expect(() => ownLockLimit(tempDir())).toThrow('EISDIR')
})

test.each([
  ['unlimited            unlimited', Number.POSITIVE_INFINITY],
  ['unlimited            7000     ', 7000],
])('the hard limit counts: %s', (limits, expected) => {
  const file = join(tempDir(), 'limits')
  writeFileSync(
    file,
    `Limit                     Soft Limit           Hard Limit\nMax file locks            ${limits}  locks\n`,
  )
  expect(ownLockLimit(file)).toBe(expected)
})
