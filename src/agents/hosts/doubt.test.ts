import type * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tempDir } from '../../../test/builders.ts'
import { findDriver } from '../../drivers/registry.ts'
import { processStartTime } from '../../util/process.ts'
import { endProcess, watchProcess } from './end-process.ts'
import { outsideHost } from './outside.ts'
import { ptyHost } from './pty/host.ts'
import { KeeperClient } from './pty/keeper-client.ts'
import { streamHost } from './stream.ts'
import { ControlClient } from './tmux/control.ts'
import { tmuxHost } from './tmux/host.ts'

/** Why no process can be looked at; null while it can. */
const look = vi.hoisted(() => ({ failure: null as string | null }))

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  const readFileSync = (...args: Parameters<typeof fs.readFileSync>) => {
    if (look.failure === null || !/^\/proc\/\d/.test(String(args[0]))) return real.readFileSync(...args)
    throw Object.assign(new Error(look.failure), { code: look.failure })
  }
  return { ...real, readFileSync }
})

const self = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' }
/** Another process has its pid by now. */
const ended = { ...self, startTime: '1' }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  look.failure = null
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test('a process that nobody can look at is not gone; one that is gone is noticed as soon as that can be told', async () => {
  const gone: string[] = []
  look.failure = 'EMFILE'
  const unwatch = watchProcess(self, () => gone.push('self'))
  watchProcess(ended, () => gone.push('ended'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(gone).toEqual([])
  look.failure = null
  await vi.advanceTimersByTimeAsync(2000)
  unwatch()
  expect(gone).toEqual(['ended'])
})

test('a process that is to end gets its signals when it is surely that one, and not before', async () => {
  const signals: unknown[] = []
  vi.spyOn(process, 'kill').mockImplementation((_, name) => signals.push(name) > 0)
  look.failure = 'EMFILE'
  const ending = endProcess({ ...self }, 1000)
  await vi.advanceTimersByTimeAsync(500)
  expect(signals).toEqual([])
  look.failure = null
  await vi.advanceTimersByTimeAsync(300)
  expect(signals).toEqual(['SIGTERM'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(signals).toEqual(['SIGTERM', 'SIGKILL'])
  look.failure = 'ESRCH'
  await vi.advanceTimersByTimeAsync(100)
  await ending
})

test('every host takes over a process of which nobody can tell whether it lives', async () => {
  look.failure = 'EMFILE'
  const { stream, terminal } = findDriver('claude')
  const dir = tempDir()
  const socket = join(dir, 'socket')
  const parts = { terminal, waiters: () => dir, quietMs: 0, stillMs: 4000 }
  const hosts = [
    streamHost(stream),
    tmuxHost({ ...parts, socket, overview: 'rein', control: new ControlClient(socket) }),
    ptyHost({ ...parts, keeper: new KeeperClient(socket, '') }),
    outsideHost(dir),
  ]
  for (const host of hosts) {
    const hosted = await host.adopt(dir, self, () => undefined)
    expect(hosted?.process).toEqual(self)
    hosted?.release()
  }
})
