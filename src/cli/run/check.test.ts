import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { runCheck } from './check.ts'

const never = new AbortController().signal

test('how it ended, and what it printed', async () => {
  const { code, output } = await runCheck('echo said; exit 3', tempDir(), never)
  expect([code, output]).toEqual([3, 'said\n'])
})

test('what it leaves in the background is not waited for, and ends', async () => {
  const cwd = tempDir()
  const fifo = join(cwd, 'fifo')
  execFileSync('mkfifo', [fifo])
  // It ends when nobody is left who could write to it.
  const written = text(createReadStream(fifo))
  const { code, output } = await runCheck('exec 3>fifo; sleep 600 & echo said; exit 0', cwd, never)
  expect([code, output]).toEqual([0, 'said\n'])
  expect(await written).toBe('')
})

test('it ends with its signal', async () => {
  const leaving = new AbortController()
  const ended = runCheck('sleep 600', tempDir(), leaving.signal)
  leaving.abort()
  expect((await ended).code).toBe(143)
})
