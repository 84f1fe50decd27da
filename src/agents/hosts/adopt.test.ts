import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../../test/support/builders.ts'
import { findDriver } from '../../drivers/registry.ts'
import { outsideHost } from './outside.ts'
import { KeeperClient } from './pty/keeper-client.ts'
import { ptyHost } from './pty/host.ts'
import { streamHost } from './stream.ts'
import { ControlClient } from './tmux/control.ts'
import { tmuxHost } from './tmux/host.ts'

const { stream, terminal } = findDriver('claude')

test('no host takes a process over that only has the pid of its agent', async () => {
  const dir = tempDir()
  const socket = join(dir, 'socket')
  const parts = { terminal, waiters: () => dir, quietMs: 0, stillMs: 4000 }
  const hosts = [
    streamHost(stream),
    tmuxHost({ ...parts, socket, overview: 'rein', control: new ControlClient(socket) }),
    ptyHost({ ...parts, keeper: new KeeperClient(socket, '') }),
    outsideHost(dir),
  ]
  const stranger = { pid: process.pid, startTime: '1' }
  const taken = await Promise.all(hosts.map((host) => host.adopt(dir, stranger, () => undefined)))
  expect(taken).toEqual([null, null, null, null])
})
