import { constants, mkdtempSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../../test/support/builders.ts'
import { mkfifo } from '../../../../test/support/fifo-harness.ts'
import { type FifoFile, listFifos, openFifo } from './files.ts'

const find = (dir: string): FifoFile => {
  const [found] = listFifos(dir, 'in')
  if (found === undefined) throw new Error('There is no FIFO.')
  return found
}

test.each<[string, (path: string) => void, RegExp]>([
  ['a link', (path) => symlinkSync(mkfifo(mkdtempSync(join(path, '..', 'x-')), 'in.x')[0] ?? '', path), /ELOOP/],
  ['a file', (path) => writeFileSync(path, ''), /not a FIFO/],
  ['nothing', () => undefined, /ENOENT/],
])('a FIFO that %s replaced after the look is not opened', (_, replace, reason) => {
  const dir = tempDir()
  const [path = ''] = mkfifo(dir, 'in.x')
  const seen = find(dir)
  unlinkSync(path)
  replace(path)
  expect(() => openFifo(seen, constants.O_RDWR)).toThrow(reason)
})

test('each direction has its own names', () => {
  const dir = tempDir()
  mkfifo(dir, 'in', 'in.a', 'out.a', 'out', 'inn.a', 'output.sock')
  const names = (direction: 'in' | 'out') => listFifos(dir, direction).map(({ file, channel }) => `${file} ${channel}`)
  expect(names('in').toSorted()).toEqual(['in in', 'in.a a'])
  expect(names('out')).toEqual(['out.a a'])
})
