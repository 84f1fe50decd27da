import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { namedHost, usualHost } from './host.ts'

const dirWith = (mode: number | null): string => {
  const dir = mkdtempSync(path.join(tmpdir(), 'rein-host-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  if (mode !== null) writeFileSync(path.join(dir, 'tmux'), '')
  if (mode !== null) chmodSync(path.join(dir, 'tmux'), mode)
  return dir
}

test('tmux where it is installed, else pty', () => {
  expect(usualHost('auto', { PATH: `/nowhere:${dirWith(0o755)}` })).toBe('tmux')
  expect(usualHost('auto', { PATH: dirWith(null) })).toBe('pty')
  expect(usualHost('auto', {})).toBe('pty')
})

test('what the user set holds', () => {
  expect(usualHost('stream', { PATH: dirWith(0o755) })).toBe('stream')
})

test('a host that there is not is named, with those that there are', () => {
  expect(namedHost('pty')).toBe('pty')
  expect(() => namedHost('nowhere')).toThrow('There is no host "nowhere".')
  expect(() => namedHost('outside')).toThrow('There is no host')
})
