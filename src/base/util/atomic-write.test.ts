import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeFileAtomic } from './atomic-write.ts'

let dir: string
let file: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'rein-atomic-'))
  file = path.join(dir, 'daemon.json')
})
afterEach(() => {
  rmSync(dir, { recursive: true })
})

const mode = (): number => statSync(file).mode & 0o777

test('a new file is for us alone', async () => {
  await writeFileAtomic(file, 'new')
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(mode()).toBe(0o600)
})

test('the mode can be chosen, whatever the umask', async () => {
  await writeFileAtomic(file, 'new', { mode: 0o666 })
  expect(mode()).toBe(0o666)
})

test('a reader that has the old file open keeps the old content', async () => {
  writeFileSync(file, 'old')
  const before = statSync(file).ino
  await writeFileAtomic(file, Buffer.from('new'))
  expect(readFileSync(file, 'utf8')).toBe('new')
  expect(statSync(file).ino).not.toBe(before)
})

test('a link is replaced, its target is not touched', async () => {
  const target = path.join(dir, 'target')
  writeFileSync(target, 'mine')
  symlinkSync(target, file)
  await writeFileAtomic(file, 'new')
  expect(readFileSync(target, 'utf8')).toBe('mine')
  expect(lstatSync(file).isSymbolicLink()).toBe(false)
})

test('many writers at once leave one whole file and nothing else', async () => {
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000))
  await Promise.all(contents.map((content) => writeFileAtomic(file, content)))
  expect(contents).toContain(readFileSync(file, 'utf8'))
  expect(readdirSync(dir)).toEqual(['daemon.json'])
})

test('after a failure there is no leftover', async () => {
  mkdirSync(path.join(file, 'occupied'), { recursive: true })
  await expect(writeFileAtomic(file, 'new')).rejects.toMatchObject({ code: 'EISDIR' })
  expect(readdirSync(dir)).toEqual(['daemon.json'])
})

test('a directory that is not there is an error', async () => {
  await expect(writeFileAtomic(path.join(dir, 'missing/file'), 'new')).rejects.toMatchObject({ code: 'ENOENT' })
})

test('what comes piece by piece takes the place of the old when all of it is there, or not at all', async () => {
  await writeFileAtomic(file, 'old')
  const pieces = async function* (isWhole: boolean): AsyncGenerator<string> {
    yield 'ä'
    if (!isWhole) throw new Error('no more')
    yield 'ö'
  }
  await expect(writeFileAtomic(file, pieces(false))).rejects.toThrow('no more')
  expect([readFileSync(file, 'utf8'), readdirSync(dir)]).toEqual(['old', ['daemon.json']])
  await writeFileAtomic(file, pieces(true))
  expect(readFileSync(file, 'utf8')).toBe('äö')
})
