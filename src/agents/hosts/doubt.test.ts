import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { failLooks } from '../../../test/support/failing-looks.ts'
import { findDriver } from '../../drivers/registry.ts'
import { onBeat } from '../../base/util/beat.ts'
import { processStartTime } from '../../base/util/process.ts'
import { endProcess, watchProcess } from './end-process.ts'
import { outsideHost } from './outside.ts'
import { ptyHost } from './pty/host.ts'
import { KeeperClient } from './pty/keeper-client.ts'
import { streamHost } from './stream.ts'
import { ControlClient } from './tmux/control.ts'
import { tmuxHost } from './tmux/host.ts'

const self = { pid: process.pid, startTime: processStartTime(process.pid) ?? '' }

/** Everybody who looks once a second has looked. */
const looked = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = onBeat(1000, () => {
      stop()
      resolve()
    })
  })

test('a process that nobody can look at is not gone; one that is gone is noticed as soon as that can be told', async () => {
  const gone: string[] = []
  const recover = failLooks('EMFILE')
  const unwatch = watchProcess(self, () => void gone.push('self'))
  const noticed = new Promise<void>((resolve) => watchProcess({ ...self, startTime: '1' }, resolve))
  void noticed.then(() => gone.push('other'))
  await looked()
  await looked()
  expect(gone).toEqual([])
  recover()
  await noticed
  unwatch()
  expect(gone).toEqual(['other'])
})

test('a process that is to end is signalled when it is surely that one, and not before', async () => {
  const child = spawn('/bin/sh', ['-c', 'echo up; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const pid = child.pid ?? 0
  const ref = { pid, startTime: processStartTime(pid) ?? '' }
  const ended = once(child, 'exit')
  const recover = failLooks('EMFILE')
  const ending = endProcess(ref, 60_000)
  await looked()
  expect([child.exitCode, child.signalCode]).toEqual([null, null])
  recover()
  await ending
  expect(await ended).toEqual([null, 'SIGTERM'])
})

test('every host takes over a process of which nobody can tell whether it lives', async () => {
  failLooks('EMFILE')
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
