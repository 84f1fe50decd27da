import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensurePrivateDir } from './private-dir.ts'

let base: string
beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'rein-private-'))
})
afterEach(() => {
  rmSync(base, { recursive: true })
})

const mode = (dir: string): number => statSync(dir).mode & 0o777
const refused = (problem: string) =>
  expect.objectContaining({ code: 'not_private', message: expect.stringContaining(problem) })

test('makes the directory and those above it, for us alone', () => {
  const dir = path.join(base, 'a/b/c')
  ensurePrivateDir(dir)
  expect([mode(path.join(base, 'a')), mode(path.join(base, 'a/b')), mode(dir)]).toEqual([0o700, 0o700, 0o700])
})

test('a second call changes nothing', () => {
  const dir = path.join(base, 'rein')
  ensurePrivateDir(dir)
  ensurePrivateDir(`${dir}/`)
  expect(mode(dir)).toBe(0o700)
})

test('a stricter directory of ours stays as it is', () => {
  const dir = path.join(base, 'rein')
  mkdirSync(dir, { mode: 0o500 })
  ensurePrivateDir(dir)
  expect(mode(dir)).toBe(0o500)
})

test.each([0o750, 0o705, 0o770, 0o777, 0o701])('a directory with mode %o is refused and left as it is', (open) => {
  const dir = path.join(base, 'rein')
  mkdirSync(dir)
  chmodSync(dir, open)
  expect(() => ensurePrivateDir(dir)).toThrow(
    expect.objectContaining({ code: 'not_private', hint: `Close it: chmod 700 '${dir}'` }),
  )
  expect(mode(dir)).toBe(open)
})

test.each(['', '/'])('a link to a private directory is refused (with "%s" behind it)', (ending) => {
  const target = path.join(base, 'target')
  mkdirSync(target, { mode: 0o700 })
  symlinkSync(target, path.join(base, 'rein'))
  expect(() => ensurePrivateDir(path.join(base, 'rein') + ending)).toThrow(refused('symbolic link'))
})

test('a link that leads nowhere is refused, and nothing is made behind it', () => {
  const target = path.join(base, 'target')
  symlinkSync(target, path.join(base, 'rein'))
  expect(() => ensurePrivateDir(path.join(base, 'rein'))).toThrow(refused('symbolic link'))
  expect(() => lstatSync(target)).toThrow('ENOENT')
})

test('a file in the way is refused and kept', () => {
  writeFileSync(path.join(base, 'rein'), 'mine')
  expect(() => ensurePrivateDir(path.join(base, 'rein'))).toThrow(refused('not a directory'))
  expect(statSync(path.join(base, 'rein')).size).toBe(4)
})

test('a file above it is an error', () => {
  writeFileSync(path.join(base, 'file'), '')
  expect(() => ensurePrivateDir(path.join(base, 'file/rein'))).toThrow('ENOTDIR')
})

test('a directory of somebody else is refused', () => {
  const dir = path.join(base, 'rein')
  mkdirSync(dir, { mode: 0o700 })
  const owner = statSync(dir).uid
  expect(() => ensurePrivateDir(dir, owner + 1)).toThrow(refused(`belongs to user ${owner}`))
})
