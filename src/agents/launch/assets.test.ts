import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { deployAssets, rememberAssets, rememberedAssets, restoreAssets } from './assets.ts'

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

test('what got lost or was changed is put back, also by a new deployment', () => {
  const root = tempDir()
  const dir = deployAssets(root, 'claude', files)
  rememberAssets(join(root, 'agent'), dir)
  const deployed = rememberedAssets(join(root, 'agent'))
  if (deployed === null) throw new Error('not remembered')
  expect(restoreAssets(deployed)).toEqual([])
  rmSync(join(dir, 'hooks'), { recursive: true })
  writeFileSync(join(dir, 'rein-hook'), 'something else')
  expect(restoreAssets(deployed).toSorted()).toEqual([join(dir, 'hooks/hooks.json'), join(dir, 'rein-hook')])
  expect(restoreAssets(deployed)).toEqual([])
  chmodSync(join(dir, 'rein-hook'), 0o600)
  expect(deployAssets(root, 'claude', files)).toBe(dir)
  expect(statSync(join(dir, 'rein-hook')).mode & 0o777).toBe(0o700)
})

test('of an agent that Rein did not start nothing is remembered', () => {
  expect(rememberedAssets(tempDir())).toBeNull()
})
