import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessRef } from '../../../contract/agent.ts'
import type { Host } from '../../../contract/host.ts'
import { isSameProcess, processStartTime } from '../../../util/process.ts'
import { releaseOrphans } from '../../waiters.ts'
import { TerminalAgent, type TerminalParts } from '../terminal/agent.ts'
import type { ControlClient } from './control.ts'
import { writeLauncher } from './launcher.ts'
import { TmuxPane } from './pane.ts'
import { runTmux, serverOptions } from './server.ts'

export interface TmuxParts extends TerminalParts {
  socket: string
  control: ControlClient
}

const [width, height] = ['220', '50']

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
      const pane = ['-d', '-P', '-F', '#{pane_pid}', '-s', session, '-x', width, '-y', height]
      const start = ['new-session', ...pane, launcher]
      const pid = await parts.control.inTurn(async () => {
        await runTmux(parts.socket, 'kill-session', '-t', `=${session}`).catch(() => undefined)
        return Number(await runTmux(parts.socket, 'start-server', ';', ...options, ...start))
      })
      const process = { pid, startTime: processStartTime(pid) ?? '' }
      return new TerminalAgent(process, dir, paneOf(dir, process), parts, on)
    },
    adopt: async (dir, process, on) => {
      releaseOrphans(parts.waiters(dir))
      if (!isSameProcess(process.pid, process.startTime)) return null
      return new TerminalAgent(process, dir, paneOf(dir, process), parts, on)
    },
  }
}

/** tmux takes no dots or colons in a name, and targets are exact. */
export const sessionOf = (agentDir: string): string => basename(agentDir).replaceAll(/[.:]/g, '-')
