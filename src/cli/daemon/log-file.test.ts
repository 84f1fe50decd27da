import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { entryText } from './logs.ts'
import { followFile, lastLines } from './log-file.ts'
import { createStyle } from '../output.ts'

let dir = ''
let file = ''

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'rein-log-'))
  file = path.join(dir, 'rein.log')
})

afterEach(() => rmSync(dir, { recursive: true }))

test('the last lines of a file, without one that is half written', () => {
  writeFileSync(file, 'one\ntwo\nthree\nhal')
  expect(lastLines(file, 2).lines).toEqual(['two', 'three'])
  expect(lastLines(file, 0).lines).toEqual([])
  expect(lastLines(file, 9).lines).toEqual(['one', 'two', 'three'])
})

test('a file that is not there has none', () => {
  expect(lastLines(file, 5).lines).toEqual([])
})

test('following goes on with the half line, and through a rotation', async () => {
  writeFileSync(file, 'one\nha')
  const { end } = lastLines(file, 1)
  const seen: string[] = []
  await new Promise<void>((resolve) => {
    const stop = followFile(file, end, (line) => {
      seen.push(line)
      if (line === 'half') {
        renameSync(file, `${file}.1`)
        writeFileSync(file, 'new\n')
      } else {
        stop()
        resolve()
      }
    })
    appendFileSync(file, 'lf\n')
  })
  expect(seen).toEqual(['half', 'new'])
})

test('an entry is shown with time, level, message and fields', () => {
  const now = new Date(2026, 0, 2, 12, 0, 0).getTime()
  const line = JSON.stringify({ level: 40, time: now, pid: 1, msg: 'slow\u001b', handle: 'a', n: { b: 1 } })
  expect(entryText(line, now, createStyle(false))).toBe('12:00:00 warn  slow\\u{1b} handle=a n={"b":1}')
  expect(entryText('no json\u0007', now, createStyle(false))).toBe('no json\\u{7}')
})
