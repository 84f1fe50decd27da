import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readHistory, remember } from './history.ts'
import { locate } from './locate.ts'

const directory = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-screen-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  return dir
}

describe('what was sent', () => {
  test('is there in the next run, with its line breaks, and nobody else can read it', async () => {
    const file = join(directory(), 'state', 'history')
    expect(await readHistory(file)).toEqual([])
    for (const text of ['one', 'two\nlines "quoted"']) await remember(file, text)
    expect(await readHistory(file)).toEqual(['one', 'two\nlines "quoted"'])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
  })

  test('is the last of many; what is no line of ours is left out', async () => {
    const file = join(directory(), 'history')
    writeFileSync(file, [...Array.from({ length: 500 }, (_, n) => `"${n}"`), 'broken', '{}', ''].join('\n'), {
      mode: 0o600,
    })
    const history = await readHistory(file)
    expect([history.length, history[0], history.at(-1)]).toEqual([198, '302', '499'])
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(201)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })
})

describe('where an edit begins', () => {
  test('is found before and after it was made, for each of several', async () => {
    const dir = directory()
    writeFileSync(join(dir, 'a.ts'), 'one\ntwo\nthree\nfour\n')
    const edits = [
      { old_string: 'two\nthree', new_string: 'x' },
      { old_string: 'gone', new_string: 'four' },
      { old_string: 'nowhere', new_string: 'neither' },
    ]
    expect(await locate({ file_path: 'a.ts', edits }, dir)).toEqual([2, 4, null])
  })

  test('is not known of what is no file, and of what is none', async () => {
    const dir = directory()
    const edit = { old_string: 'a', new_string: 'b' }
    expect(await locate({ file_path: 'none.ts', ...edit }, dir)).toEqual([null])
    expect(await locate({ file_path: dir, ...edit }, dir)).toEqual([null])
    expect(await locate({ command: 'ls' }, dir)).toEqual([])
  })
})
