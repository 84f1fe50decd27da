import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { anAgent, tempDir } from '../../../test/support/builders.ts'
import { handoverPath, handoverWrittenAt, prepareHandover, readHandover } from './handover.ts'

const pathIn = (cwd: string): string => handoverPath(anAgent({ cwd }))

test('there is a handover when something was written, out of reach of version control', () => {
  const path = pathIn(tempDir())
  prepareHandover(path)
  expect(readFileSync(join(dirname(path), '.gitignore'), 'utf8')).toBe('*\n')
  expect(handoverWrittenAt(path)).toBeNull()
  writeFileSync(path, 'Go on with the cart.\n')
  expect(handoverWrittenAt(path)).not.toBeNull()
  expect(readHandover(path)).toBe('Go on with the cart.')
})

test("a .gitignore that is there stays somebody else's", () => {
  const path = pathIn(tempDir())
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(join(dirname(path), '.gitignore'), 'mine\n')
  prepareHandover(path)
  expect(readFileSync(join(dirname(path), '.gitignore'), 'utf8')).toBe('mine\n')
})

test.each(['.rein', '.rein/handover'])('nothing is written or read through %s if that is a link', (link) => {
  const [cwd, elsewhere] = [tempDir(), tempDir()]
  const path = pathIn(cwd)
  mkdirSync(join(cwd, dirname(link)), { recursive: true })
  symlinkSync(elsewhere, join(cwd, link))
  expect(() => prepareHandover(path)).toThrow(`${join(cwd, link)} is a link`)
  expect(readdirSync(elsewhere)).toEqual([])
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'A secret.')
  expect(handoverWrittenAt(path)).toBeNull()
})

test('a link in place of the file is no handover', () => {
  const cwd = tempDir()
  const path = pathIn(cwd)
  prepareHandover(path)
  writeFileSync(join(cwd, 'secret'), 'A secret.')
  symlinkSync(join(cwd, 'secret'), path)
  expect(handoverWrittenAt(path)).toBeNull()
})
