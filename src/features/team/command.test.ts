import { execFileSync } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test, vi } from 'vitest'
import { now, tempDir } from '../../../test/support/builders.ts'
import type { BusEvent } from '../../contract/team.ts'
import { runCommand } from './command.ts'

const event: BusEvent = {
  id: 'evt_1',
  project: 'shop-1a2b3c',
  type: 'checkpoint',
  v: 1,
  priority: 'normal',
  payload: '{"bucket":1}',
  from: { kind: 'daemon' },
  to: null,
  delivery: 'each',
  dedup: null,
  at: now,
  due: null,
}
const never = new AbortController().signal

test('a command gets the event as JSON and knows whose it is', async () => {
  const { exit, output } = await runCommand('cat; echo "$REIN_EVENT $REIN_PROJECT"', event, never)
  expect([exit, output]).toEqual([0, `${JSON.stringify(event)}\nevt_1 shop-1a2b3c\n`])
})

test('how it ended, and the end of what it said', async () => {
  expect(await runCommand('echo out; echo err >&2; exit 3', event, never)).toMatchObject({ exit: 3 })
  const { output } = await runCommand('seq 1 100000; printf ä', event, never)
  expect(Buffer.byteLength(output)).toBe(8192)
  expect(output).toMatch(/99999\n100000\nä$/)
})

test('a letter that is cut in two is left out', async () => {
  const { output } = await runCommand('printf äb', event, never, { ms: 600_000, outputBytes: 2 })
  expect(output).toBe('b')
})

test('one that reads nothing is fine', async () => {
  const large = { ...event, payload: 'x'.repeat(1_000_000) }
  expect(await runCommand('exit 0', large, never)).toEqual({ exit: 0, output: '' })
})

/** A process in the background of a command, and the moment at which it is gone. */
const background = () => {
  const pipe = join(tempDir(), 'pipe')
  execFileSync('mkfifo', [pipe])
  const said = createReadStream(pipe)
  return { command: `(echo begun; exec sleep 1000) > '${pipe}' & wait`, said, gone: text(said) }
}

test('what takes too long is ended with all it has started', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { command, said, gone } = background()
  const running = runCommand(command, event, never)
  said.once('data', () => vi.advanceTimersByTime(600_000))
  expect((await running).exit).toBeNull()
  expect(await gone).toBe('begun\n')
})

test('whoever stops does not wait for it', async () => {
  const { command, said, gone } = background()
  const ending = new AbortController()
  const running = runCommand(command, event, ending.signal)
  said.once('data', () => ending.abort())
  expect((await running).exit).toBeNull()
  expect(await gone).toBe('begun\n')
})
