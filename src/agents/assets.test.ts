import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/builders.ts'
import { deployAssets } from './assets.ts'

const files = [
  { path: 'hooks/hooks.json', content: '{}', executable: false },
  { path: 'rein-hook', content: '#!/bin/sh\n', executable: true },
]

test('the files are there, for their owner alone, and nothing else', () => {
  const root = tempDir()
  const dir = deployAssets(root, 'claude-2.1.197', files)
  for (const { path, content, executable } of files) {
    expect(readFileSync(join(dir, path), 'utf8')).toBe(content)
    expect(statSync(join(dir, path)).mode & 0o777).toBe(executable ? 0o700 : 0o600)
  }
  expect(statSync(dir).mode & 0o077).toBe(0)
  expect(readdirSync(root)).toHaveLength(1)
})

test('the same files are the same directory; others get their own, and the old one stays for whoever uses it', () => {
  const root = tempDir()
  const dir = deployAssets(root, 'claude', files)
  expect(deployAssets(root, 'claude', files)).toBe(dir)
  const next = deployAssets(root, 'claude', [{ path: 'rein-hook', content: 'new', executable: true }])
  expect(next).not.toBe(dir)
  expect(readFileSync(join(dir, 'rein-hook'), 'utf8')).toBe('#!/bin/sh\n')
})
