import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../test/support/builders.ts'
import { JournalFile, type JournalOptions } from './journal.ts'

const open = (given: Partial<JournalOptions> = {}) => {
  const path = join(tempDir(), 'logs/daemon.log')
  const journal = new JournalFile({ path, level: 'info', maxBytes: 1 << 20, maxFiles: 3, foreground: false, ...given })
  onTestFinished(() => journal.close())
  const lines = (): Record<string, unknown>[] =>
    readFileSync(given.path ?? path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
  return { path, journal, lines }
}
const about = { agent: 'agt_1', handle: 'worker' }

test('an entry is one line of JSON with its name and its fields, for the owner alone', () => {
  const { journal, lines, path } = open()
  journal.write('wake', { ...about, by: 'stream' })
  journal.write('trouble', { where: 'here', reason: 'line\nbreak' })
  expect(lines()).toMatchObject([
    { level: 30, msg: 'wake', ...about, by: 'stream' },
    { level: 40, msg: 'trouble', reason: 'line\nbreak' },
  ])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a less important entry than asked for is not written', () => {
  const { journal, lines } = open({ level: 'warn' })
  journal.write('wake', { ...about, by: 'stream' })
  journal.write('trouble', { where: 'here', reason: 'x' })
  expect(lines()).toHaveLength(1)
})

test('secrets do not reach the file', () => {
  const { journal, path } = open()
  const secret = `sk-ant-api03-${'a1B2'.repeat(24)}`
  journal.write('trouble', { where: 'here', reason: `failed with ${secret}` })
  expect(readFileSync(path, 'utf8')).not.toContain(secret)
})

test.each([
  [3, ['daemon.log.1']],
  [1, []],
])('a file that is too long makes room at the next start: %d files are kept', (maxFiles, kept) => {
  const path = join(tempDir(), 'daemon.log')
  writeFileSync(path, 'x'.repeat(2000))
  const { journal } = open({ path, maxFiles, maxBytes: 1000 })
  journal.write('daemon', { what: 'ready' })
  expect(readFileSync(path, 'utf8')).toMatch(/^\{.*ready/)
  expect(['daemon.log.1', 'daemon.log.2'].filter((name) => existsSync(join(path, '..', name)))).toEqual(kept)
})

test('a disk without room ends nothing', () => {
  const { journal } = open({ path: '/dev/full' })
  for (let n = 0; n < 100; n += 1) journal.write('daemon', { what: 'x'.repeat(100) })
  journal.close()
  expect(statSync('/dev/full').isCharacterDevice()).toBe(true)
})
