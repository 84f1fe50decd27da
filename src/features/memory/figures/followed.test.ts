import { expect, test } from 'vitest'
import type { AdviceKind } from '../../../contract/command.ts'
import { LineCache } from '../../../base/shell/line-cache.ts'
import { rewriteOf } from '../advise/rewrite.ts'
import { fixText, meaningText, nextText, toolText, variantText } from '../advise/wording.ts'
import { primerText, trapLine } from '../book/primer.ts'
import type { Fix } from '../diagnose/fix.ts'
import { followed } from './advice-tally.ts'

const isFollowed = (kind: AdviceKind, text: string, next: string, about = 'make') =>
  followed({ kind, text, about }, next, new LineCache())

test.each([
  ['go test -race ./...', 'exactly'],
  ['go  test -race ./... ', 'exactly'],
  ['cd sub && go test -race ./... 2>&1 | tail -5', 'in kind'],
  ['go test -race ./internal/a', 'in kind'],
  ['go test ./...', null],
  ['make', null],
  ['', null],
])('what comes next is named, and it is %j: %s', (next, expected) => {
  expect(isFollowed('next', nextText('go test -race ./...', '4 of 5 times'), next)).toBe(expected)
})

const fix = (kind: Fix['kind'], command: string): string =>
  fixText({ kind, command, worked: 2, tried: 2, against: 'error' } as Fix)

test('a fix', () => {
  expect(isFollowed('fix', fix('instead', 'make all'), 'make all')).toBe('exactly')
  expect(isFollowed('fix', fix('before', 'npm ci'), 'npm ci', 'npm test')).toBe('exactly')
  expect(isFollowed('fix', fix('before', 'npm ci'), 'npm test', 'npm test')).toBeNull()
  expect(isFollowed('fix', fix('again', 'npm test'), 'npm test', 'npm test')).toBe('exactly')
})

test('a variant, a meaning', () => {
  const variant = variantText({ command: 'pnpm test', ok: 3, runs: 3 } as Parameters<typeof variantText>[0])
  expect(isFollowed('variant', variant, 'pnpm test', 'npm test')).toBe('exactly')
  expect(isFollowed('variant', variant, 'npm test', 'npm test')).toBeNull()
  const meaning = meaningText('The port is taken.', ['ss -ltnp', 'lsof -i :3000'], 1000)
  expect(isFollowed('meaning', meaning, 'lsof -i :8080')).toBe('in kind')
})

test('a primer: what is done here, and not what fails here', () => {
  const known = [{ purpose: 'test' as const, command: 'pnpm test', runs: 5, ok: 5, isCounted: true }]
  const trap = { command: 'npm test', failed: 3, runs: 3, exit: 1, error: 'no', instead: 'pnpm run all' }
  const primer = primerText(known, trapLine(trap, null), 1000) ?? ''
  expect(primer).toContain('npm test')
  expect(isFollowed('primer', primer, 'pnpm test')).toBe('exactly')
  expect(isFollowed('primer', primer, 'pnpm run all')).toBe('exactly')
  expect(isFollowed('primer', primer, 'npm test')).toBeNull()
})

test('a rewritten command was run as it was rewritten', () => {
  const rewrite = rewriteOf('mkdir a/b', '/w', () => null)
  expect(rewrite).not.toBeNull()
  expect(isFollowed('rewrite', rewrite?.reason ?? '', rewrite?.command ?? '', 'mkdir a/b')).toBe('exactly')
  expect(isFollowed('rewrite', rewrite?.reason ?? '', 'mkdir a/b', 'mkdir a/b')).toBeNull()
})

test('a tool is no command', () => {
  const text = toolText({ kind: 'read', instead: 'Read', why: 'it shows a file' })
  expect(isFollowed('tool', text, 'cat a', 'cat a')).toBeNull()
})
