import { expect, test } from 'vitest'
import type { ControlClient } from './control.ts'
import { msAgo, TmuxPane } from './pane.ts'

test.each([
  ['in this second', 100, 100_400, 0],
  ['a while ago', 100, 131_000, 30_000],
  ['before the clock was set back', 4000, 100_000, null],
])('when somebody typed: %s', (_, second, now, expected) => {
  expect(msAgo(second, now)).toBe(expected)
})

test('a session that ends while its screen is read is an error of that read alone', async () => {
  let tellClients: (lines: string[]) => void = () => undefined
  const control = {
    run: (command: string) =>
      command.startsWith('list-clients')
        ? new Promise<string[]>((resolve) => (tellClients = resolve))
        : Promise.reject(new Error("can't find session")),
  } as unknown as ControlClient
  const reading = new TmuxPane('/tmp/tmux.sock', control, 'agt_1', 1).read()
  const unhandled: unknown[] = []
  const note = (cause: unknown): void => void unhandled.push(cause)
  process.on('unhandledRejection', note)
  reading.catch(() => undefined)
  // Rejections that nobody handles are told after the current turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  tellClients([])
  await expect(reading).rejects.toThrow("can't find session")
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
