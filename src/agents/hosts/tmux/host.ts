import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessRef } from '../../../contract/agent.ts'
import type { Host } from '../../../contract/host.ts'
import { awaitStartTime, isGone } from '../../../base/util/process.ts'
import { releaseOrphans } from '../../wake/waiters.ts'
import { TerminalAgent, type TerminalParts } from '../terminal/agent.ts'
import type { ControlClient } from './control.ts'
import { writeLauncher } from './launcher.ts'
import { TmuxPane } from './pane.ts'
import { runTmux, serverOptions } from './server.ts'

interface TmuxParts extends TerminalParts {
  socket: string
  control: ControlClient
  /** The session in which all agents stand side by side, one window each. */
  overview: string
}

const size = ['-x', '220', '-y', '50']

/** An agent in a terminal of Rein's own tmux server: it outlives the daemon, and `rein attach` is the CLI itself. */
export const tmuxHost = (parts: TmuxParts): Host => {
  const paneOf = (dir: string, { pid }: ProcessRef): TmuxPane =>
    new TmuxPane(parts.socket, parts.control, sessionOf(dir), pid)
  return {
    kind: 'tmux',
    start: async (dir, plan, on) => {
      const session = sessionOf(dir)
      const launcher = writeLauncher(dir, plan)
      mkdirSync(parts.waiters(dir), { recursive: true, mode: 0o700 })
      const options = serverOptions.flatMap((option) => [...option, ';'])
      const name = plan.env['REIN_HANDLE'] ?? session
      const pane = ['-d', '-P', '-F', '#{pane_pid}', '-s', session, '-n', name, ...size]
      const start = ['new-session', ...pane, launcher]
      const pid = await parts.control.inTurn(async () => {
        await runTmux(parts.socket, 'kill-window', '-t', `=${session}:`).catch(() => undefined)
        const started = await runTmux(parts.socket, 'start-server', ';', ...options, ...start)
        // It runs and is known by its own session, whether it can be shown beside the others or not.
        await showIn(parts, session).catch(() => undefined)
        return Number(started)
      })
      const process = { pid, startTime: (await awaitStartTime(pid)) ?? '' }
      return new TerminalAgent(process, dir, paneOf(dir, process), parts, on)
    },
    adopt: async (dir, process, on) => {
      releaseOrphans(parts.waiters(dir))
      if (isGone(process.pid, process.startTime)) return null
      return new TerminalAgent(process, dir, paneOf(dir, process), parts, on)
    },
  }
}

/** The agent's own window, linked: whoever looks at all of them sees the same terminal. */
const showIn = async ({ socket, overview }: TmuxParts, session: string): Promise<void> => {
  const link = ['link-window', '-d', '-s', `=${session}:`]
  const isThere = await runTmux(socket, 'has-session', '-t', `=${overview}`).then(
    () => true,
    () => false,
  )
  if (isThere) return void (await runTmux(socket, ...link, '-t', `=${overview}:`))
  // tmux makes no session without a window: the first agent takes the place of this one.
  const create = ['new-session', '-d', '-s', overview, ...size, 'exec cat']
  const names = ['set-option', '-t', `=${overview}:`, 'status', 'on']
  await runTmux(socket, ...create, ';', ...names, ';', ...link, '-k', '-t', `=${overview}:0`)
}

/** tmux takes no dots or colons in a name, and targets are exact. */
export const sessionOf = (agentDir: string): string => basename(agentDir).replaceAll(/[.:]/g, '-')
