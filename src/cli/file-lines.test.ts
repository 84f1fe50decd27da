import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { linesOf } from './file-lines.ts'

const all = async (file: string): Promise<string[]> => {
  const lines: string[] = []
  for await (const line of linesOf(file)) lines.push(line)
  return lines
}

test('a file is read line by line; one that is not there is an error of ours', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-lines-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  writeFileSync(join(dir, 'a'), 'one\r\ntwo')
  expect(await all(join(dir, 'a'))).toEqual(['one', 'two'])
  await expect(all(join(dir, 'none'))).rejects.toMatchObject({ code: 'not_found' })
})
