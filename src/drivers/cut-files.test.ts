import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { readSource, writeNew } from './cut-files.ts'

test('a new file has all lines and the given permissions, in a directory that is made for it', async () => {
  const path = join(tempDir(), 'a/b/c.jsonl')
  await writeNew(path, ['one', 'two'], 0o640)
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700)
})

test('what is there already stays as it is', async () => {
  const path = join(tempDir(), 'c.jsonl')
  writeFileSync(path, 'mine')
  await expect(writeNew(path, ['other'], 0o600)).rejects.toMatchObject({ code: 'refused' })
  expect(readFileSync(path, 'utf8')).toBe('mine')
  expect(readdirSync(dirname(path))).toEqual(['c.jsonl'])
})

test('a source has lines and permissions; one that is gone is named', async () => {
  const path = join(tempDir(), 'c.jsonl')
  await expect(readSource(path)).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining(path) })
  await writeNew(path, ['one', 'two'], 0o640)
  expect(await readSource(path)).toEqual({ lines: ['one', 'two', ''], mode: 0o640 })
})
