import { basename, join } from 'node:path'
import { outsideHost } from '../agents/hosts/outside.ts'
import { streamHost } from '../agents/hosts/stream.ts'
import { ControlClient } from '../agents/hosts/tmux/control.ts'
import { tmuxHost } from '../agents/hosts/tmux/host.ts'
import type { HostKind } from '../contract/agent.ts'
import { ReinError } from '../contract/errors.ts'
import type { Host } from '../contract/host.ts'
import type { Driver } from '../drivers/contract.ts'
import type { ReinPaths } from '../util/paths.ts'
import { outsideWaiters, waitersDir } from './agent-env.ts'

/** Rein's own tmux server: nothing of the user's is in it, and nothing of it in the user's. */
export const tmuxSocket = (paths: ReinPaths): string => join(paths.runtime, 'tmux.sock')

/** The hosts there are here; one control client serves all terminals. */
export const createHosts = (paths: ReinPaths) => {
  const socket = tmuxSocket(paths)
  const control = new ControlClient(socket)
  const waiters = (agentDir: string): string => waitersDir(paths, basename(agentDir))
  const host = (kind: HostKind, { stream, terminal }: Driver): Host => {
    if (kind === 'stream') return streamHost(stream)
    if (kind === 'tmux') return tmuxHost({ socket, control, terminal, waiters })
    if (kind === 'outside') return outsideHost(outsideWaiters(paths))
    throw new ReinError('unsupported_option', `There is no host "${kind}" here.`, 'Known: stream, tmux.')
  }
  return { host, close: () => control.close() }
}
