import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from './support/builders.ts'
import { tracesIn } from './support/traces.ts'

test('a home that a CLI made in the root directory is seen, and so is what it wrote into that of the user', () => {
  const [root, home] = [tempDir(), tempDir()]
  mkdirSync(join(home, '.cache'))
  expect(tracesIn(root, home)).toEqual([])
  mkdirSync(join(root, 'nonexistent/.gemini'), { recursive: true })
  mkdirSync(join(home, '.codex'))
  expect(tracesIn(root, home)).toEqual([join(root, 'nonexistent'), join(home, '.codex')])
})
