import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { SpooledCommand } from './frame.ts'
import { keepForLater } from './keep.ts'
import { takeSpool } from './spool.ts'

const command: SpooledCommand = {
  id: 'i1',
  command: 'make test',
  at: 5,
  cwd: '/w',
  exit: 2,
  durationMs: null,
  outcome: 'failed',
  session: 's1',
  author: 'my-agent',
  output: null,
  branch: 'main',
  source: 'ingest',
}

const createDir = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'rein-keep-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** No file is to give trouble here. */
const fail = (_: string, cause: unknown): never => {
  throw cause
}

test('what is kept is taken later, and lies in a private file until then', () => {
  const dir = createDir()
  expect(keepForLater(dir, [command, { ...command, id: 'i2' }], 7)).toBe(true)
  expect(statSync(join(dir, `told-${process.pid}-7.cmds`)).mode & 0o777).toBe(0o600)
  // This process lives: its file is moved away at the first look, and read at the second.
  expect(takeSpool(dir, fail)).toEqual([])
  expect(takeSpool(dir, fail).map(({ commands }) => commands)).toEqual([[command, { ...command, id: 'i2' }]])
})

test('secrets are taken out before anything is written, and only failures keep their output', () => {
  const dir = createDir()
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
  const spoken = { ...command, command: `curl -H "Authorization: token ${secret}"`, output: `bad token ${secret}` }
  keepForLater(dir, [spoken, { ...spoken, outcome: 'ok', output: 'fine' }], 7)
  const written = readFileSync(join(dir, `told-${process.pid}-7.cmds`), 'utf8')
  expect(written).not.toContain(secret)
  expect(written).not.toContain('fine')
  expect(written).toContain('[redacted:')
})

test('there is an end to it', () => {
  const dir = createDir()
  for (let count = 0; count < 1000; count += 1) writeFileSync(join(dir, `told-1-${count}.cmds`), '')
  expect(keepForLater(dir, [command], 7)).toBe(false)
})
