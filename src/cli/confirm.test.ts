import { PassThrough } from 'node:stream'
import { afterEach, expect, test, vi } from 'vitest'
import { isConfirmed } from './confirm.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test.each([
  ['y\n', true],
  [' Yes \n', true],
  ['\n', false],
  ['yeah\n', false],
  ['', false],
])('%j is %s', async (typed, isYes) => {
  const asked = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const stdin = new PassThrough()
  stdin.end(typed)
  expect(await isConfirmed({ stdin }, 'Run it?')).toBe(isYes)
  expect(asked.mock.calls.map(([text]) => text).join('')).toContain('Run it? [y/N] ')
})
