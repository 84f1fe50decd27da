import { mkdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { Host } from '../../../contract/host.ts'
import { awaitStartTime, isGone } from '../../../base/util/process.ts'
import { releaseOrphans } from '../../wake/waiters.ts'
import { TerminalAgent, type TerminalParts } from '../terminal/agent.ts'
import type { Screen } from '../terminal/screen.ts'
import type { KeeperClient } from './keeper-client.ts'

interface PtyParts extends TerminalParts {
  keeper: KeeperClient
}

/** Until somebody looks: as wide as lines are that need no wrapping. */
const size = { columns: 220, rows: 50 }
/** What the caller's own terminal says about itself. */
const ofOtherTerminals = ['TERM', 'TMUX', 'TMUX_PANE', 'STY', 'WINDOW', 'WINDOWID', 'TERMCAP', 'COLUMNS', 'LINES']

/** An agent in a terminal of the keeper: it outlives the daemon, and no tmux is needed. */
export const ptyHost = (parts: PtyParts): Host => {
  const { keeper } = parts
  return {
    kind: 'pty',
    start: async (dir, plan, on) => {
      const agent = basename(dir)
      mkdirSync(parts.waiters(dir), { recursive: true, mode: 0o700 })
      await keeper.ensure()
      const { command, args, cwd } = plan
      const env = Object.fromEntries(Object.entries(plan.env).filter(([name]) => !ofOtherTerminals.includes(name)))
      const { pid } = await keeper.ask('start', { agent, plan: { command, args, env, cwd }, size })
      const process = { pid, startTime: (await awaitStartTime(pid)) ?? '' }
      return new TerminalAgent(process, dir, keptScreen(keeper, agent), parts, on)
    },
    adopt: async (dir, process, on) => {
      releaseOrphans(parts.waiters(dir))
      if (isGone(process.pid, process.startTime)) return null
      return new TerminalAgent(process, dir, keptScreen(keeper, basename(dir)), parts, on)
    },
  }
}

const keptScreen = (keeper: KeeperClient, agent: string): Screen => ({
  read: async () => (await keeper.ask('read', { agent })).text,
  press: async (...keys) => void (await keeper.ask('keys', { agent, keys })),
  paste: async (text) => void (await keeper.ask('paste', { agent, text })),
  condition: async () => ({ ...(await keeper.ask('condition', { agent })), isScrolled: false }),
  onChange: (run) => keeper.onChange(agent, run),
  end: async () => (await keeper.ask('end', { agent })).code,
})
