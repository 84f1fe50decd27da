import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { FileTail } from './file-tail.ts'

const follow = (path = join(tempDir(), 'a.jsonl')) => {
  const lines: string[] = []
  const restarts: string[] = []
  const take = (some: string[]): void => {
    for (const line of some) lines.push(line)
  }
  const tail = new FileTail(path, take, () => void restarts.push(path))
  onTestFinished(() => tail.close())
  return { path, lines, tail, restarts }
}

const rename = (path: string, content: string): void => {
  writeFileSync(`${path}.new`, content)
  renameSync(`${path}.new`, path)
}

test('what is there is read at once, a line without an end only when it has one', () => {
  const path = join(tempDir(), 'a.jsonl')
  writeFileSync(path, 'one\ntwo\nthr')
  const { lines, tail } = follow(path)
  expect(lines).toEqual(['one', 'two'])
  appendFileSync(path, 'ee\n')
  tail.read()
  expect(lines).toEqual(['one', 'two', 'three'])
})

test('what is appended is noticed without being asked', async () => {
  const { path, lines, tail } = follow()
  writeFileSync(path, '')
  tail.read()
  const next = tail.next(10_000)
  appendFileSync(path, 'news\n')
  await next
  expect(lines).toEqual(['news'])
})

test('a file, and even a directory, that comes later', async () => {
  const { path, lines, tail } = follow(join(tempDir(), 'projects/x/a.jsonl'))
  expect(lines).toEqual([])
  mkdirSync(dirname(path), { recursive: true })
  const next = tail.next(10_000)
  writeFileSync(path, 'first\n')
  await next
  expect(lines).toEqual(['first'])
})

test.each([
  ['another file in its place', (path: string) => rename(path, 'new\n')],
  ['one that was cut', (path: string) => writeFileSync(path, 'new\n')],
])('%s is read from its beginning', (_, replace) => {
  const { path, lines, tail, restarts } = follow()
  writeFileSync(path, 'one\ntwo\n')
  tail.read()
  replace(path)
  tail.read()
  expect(lines).toEqual(['one', 'two', 'new'])
  expect(restarts).toHaveLength(1)
})

test('whoever waits does not wait for ever', async () => {
  const { tail, lines } = follow()
  await tail.next(1)
  await tail.next(0)
  expect(lines).toEqual([])
})

test('any pieces: the lines are whole, whatever falls on the border', () => {
  const { path, lines, tail } = follow()
  let written = ''
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', 'ä', '😀', '\n', '\r') }), fc.nat({ max: 4 }), (text, cut) => {
      const bytes = Buffer.from(text)
      for (const piece of [bytes.subarray(0, cut), bytes.subarray(cut)]) {
        appendFileSync(path, piece)
        tail.read()
      }
      written += text
    }),
    { numRuns: 30 },
  )
  expect(lines).toEqual(written.split('\n').slice(0, -1))
})

test('more than one chunk at once', () => {
  const path = join(tempDir(), 'a.jsonl')
  const line = 'ü'.repeat(700_000)
  writeFileSync(path, `${line}\n${line}\nend\n`)
  expect(follow(path).lines).toEqual([line, line, 'end'])
})

test.each([
  ['a directory', (path: string) => mkdirSync(path)],
  ['a FIFO', (path: string) => execFileSync('mkfifo', [path])],
])('%s in its place is nothing to read, now and later', (_, make) => {
  const path = join(tempDir(), 'a.jsonl')
  make(path)
  const { lines, tail } = follow(path)
  tail.read()
  expect(lines).toEqual([])
})

test('a great many lines at once', () => {
  const path = join(tempDir(), 'a.jsonl')
  writeFileSync(path, '\n'.repeat(1_000_000))
  expect(follow(path).lines).toHaveLength(1_000_000)
})

test('closed, it reads no more', () => {
  const { path, lines, tail } = follow()
  writeFileSync(path, 'one\n')
  tail.read()
  tail.close()
  appendFileSync(path, 'two\n')
  tail.read()
  expect(lines).toEqual(['one'])
})
