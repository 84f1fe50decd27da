import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/builders.ts'
import { optOut, Remembered } from './remembered.ts'

test('a file in a directory or above it says no, as soon as a few seconds later', () => {
  const root = tempDir()
  let time = 0
  const remembered = new Remembered({ isEphemeral: false, now: () => time })
  const below = join(root, 'src/deep')
  expect(remembered.is(below)).toBe(true)
  mkdirSync(join(root, '.rein'))
  writeFileSync(join(root, optOut), '')
  time = 5_000
  expect([root, below].map((cwd) => remembered.is(cwd))).toEqual([false, false])
  rmSync(join(root, optOut))
  time = 10_000
  expect(remembered.is(below)).toBe(true)
})

test('what is run nowhere is remembered, and nothing is in ephemeral mode', () => {
  expect(new Remembered({ isEphemeral: false, now: () => 0 }).is(null)).toBe(true)
  expect(new Remembered({ isEphemeral: true, now: () => 0 }).is(null)).toBe(false)
})
