import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { isAbsent } from './absent.ts'

test('only what is surely not there is absent', () => {
  const dir = tempDir()
  symlinkSync('loop', join(dir, 'loop'))
  expect(isAbsent(dir)).toBe(false)
  expect(isAbsent(join(dir, 'none'))).toBe(true)
  expect(isAbsent(join(dir, 'none', 'below'))).toBe(true)
  expect(isAbsent(join(dir, 'loop'))).toBe(false)
})
