import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { unifiedDiff } from './diff.ts'

test('the same has no diff', () => {
  expect(unifiedDiff('/a', 'x\n', 'x\n')).toBe('')
})

test('a change is shown with the lines around it', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ''].join('\n')
  expect(unifiedDiff('/a', before, before.replace('5\n', '5\nnew\n'))).toBe(
    ['--- /a', '+++ /a', '@@ -3,6 +3,7 @@', ' 3', ' 4', ' 5', '+new', ' 6', ' 7', ' 8'].join('\n'),
  )
})

test('a new file, and a file that goes', () => {
  expect(unifiedDiff('/a', null, 'x\n')).toBe('--- /dev/null\n+++ /a\n@@ -0,0 +1,1 @@\n+x')
  expect(unifiedDiff('/a', 'x', null)).toBe('--- /a\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-x\n\\ No newline at end of file')
})

test('patch makes the new text of the old one', () => {
  const dir = tempDir()
  const file = join(dir, 'file')
  const text = fc.array(fc.constantFrom('a', 'b', 'c', '', '{'), { maxLength: 30 }).map((lines) => lines.join('\n'))
  const property = fc.property(text, text, (before, after) => {
    const diff = unifiedDiff(file, before, after)
    if (diff === '' || before === '' || after === '') return
    writeFileSync(file, before)
    execFileSync('patch', ['-s', file], { input: `${diff}\n` })
    expect(readFileSync(file, 'utf8')).toBe(after)
  })
  fc.assert(property, { numRuns: 40 })
})
