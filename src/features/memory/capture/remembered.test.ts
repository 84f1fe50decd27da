import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { optOut, Remembered } from './remembered.ts'

test('a file in a directory or above it says no, as soon as a few seconds later', () => {
  const root = tempDir()
  let time = 0
  const remembered = new Remembered({ isEphemeral: false, home: '/home/dev', now: () => time })
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
  expect(new Remembered({ isEphemeral: false, home: '/home/dev', now: () => 0 }).is(null)).toBe(true)
  expect(new Remembered({ isEphemeral: true, home: '/home/dev', now: () => 0 }).is(null)).toBe(false)
})

test('a command that goes to such a directory is not remembered, wherever it starts', () => {
  const root = tempDir()
  mkdirSync(join(root, 'private/.rein'), { recursive: true })
  writeFileSync(join(root, 'private', optOut), '')
  const remembered = new Remembered({ isEphemeral: false, home: root, now: () => 0 })
  const taken = (command: string, cwd: string | null = root): boolean => remembered.takes(command, cwd)
  const there = [
    'cd private && ./tool',
    `cd ${root}/private/deep && ./tool`,
    'cd ~/private; ./tool',
    'make x && (cd "private" && ./tool)',
    'git -C private log',
    'bash -c "cd private && ./tool"',
  ]
  expect(there.filter((command) => taken(command))).toEqual([])
  expect(taken(`cd ${root}/private && ./tool`, null)).toBe(false)
  expect(taken('./tool', join(root, 'private'))).toBe(false)
  expect(['./tool', 'cd public && ./tool', 'echo cd private', 'cd $X && ./tool'].filter((one) => !taken(one))).toEqual(
    [],
  )
})
