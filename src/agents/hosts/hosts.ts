import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { outsideHost } from './outside.ts'
import { ptyHost } from './pty/host.ts'
import { KeeperClient } from './pty/keeper-client.ts'
import { streamHost } from './stream.ts'
import { ControlClient } from './tmux/control.ts'
import { tmuxHost } from './tmux/host.ts'
import type { HostKind } from '../../contract/agent.ts'
import type { Host } from '../../contract/host.ts'
import type { Driver } from '../../drivers/contract.ts'
import type { ReinPaths } from '../../base/util/paths.ts'
import { LiveViews } from '../view/live.ts'
import { outsideWaiters, waitersDir } from '../launch/agent-env.ts'
import type { Settings } from '../../base/config/settings.ts'

/** Rein's own tmux server: nothing of the user's is in it, and nothing of it in the user's. */
export const tmuxSocket = (paths: ReinPaths): string => join(paths.runtime, 'tmux.sock')
export const keeperSocket = (paths: ReinPaths): string => join(paths.runtime, 'pty.sock')

/** The hosts there are here; one control client and one keeper serve all terminals. */
export const createHosts = (paths: ReinPaths, settings: Settings, comesBack: (id: string) => boolean) => {
  const socket = tmuxSocket(paths)
  const control = new ControlClient(socket)
  const live = new LiveViews(comesBack)
  // The build puts both into the same directory.
  const keeperScript = fileURLToPath(new URL('./keeper.js', import.meta.url))
  const keeper = new KeeperClient(keeperSocket(paths), keeperScript)
  const waiters = (agentDir: string): string => waitersDir(paths, basename(agentDir))
  const quietMs = settings['agents.typing_quiet_s'] * 1000
  const stillMs = settings['agents.screen_quiet_s'] * 1000
  const overview = settings['tmux.session']
  const hosts: Record<HostKind, (driver: Driver) => Host> = {
    stream: ({ stream }) => streamHost(stream, live),
    tmux: ({ terminal }) => tmuxHost({ socket, control, overview, terminal, waiters, quietMs, stillMs }),
    pty: ({ terminal }) => ptyHost({ keeper, terminal, waiters, quietMs, stillMs }),
    outside: () => outsideHost(outsideWaiters(paths)),
  }
  const host = (kind: HostKind, driver: Driver): Host => hosts[kind](driver)
  const close = async (): Promise<void> => {
    keeper.close()
    await control.close()
  }
  return { host, live, comesBack, close }
}
