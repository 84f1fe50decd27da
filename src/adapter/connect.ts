import { homedir } from 'node:os'
import { agentSocket, type Env } from '../client/agent-env.ts'
import { createClient } from '../client/client.ts'
import type { Daemon } from './adapter.ts'
import { type ReinPaths, reinPaths } from '../util/paths.ts'

/** The daemon of this user, started if there is none; inside an agent, the one that started it. */
export const connectDaemon = (env: Env, { start = true } = {}): Daemon => {
  const given = agentSocket(env)
  const own = pathsOf(env)
  const paths = given === undefined ? own : { ...own, socket: given }
  const client = createClient({ paths, env, start: start && given === undefined })
  return {
    createChannel: (channel) => client.createChannel(channel),
    receive: (name, { text, claimedAt, ...more }) => client.receive({ name, content: text, ts: claimedAt, ...more }),
    take: (name, options, signal) => client.take({ name, ...options }, signal),
    settle: (name, result) => client.settle({ name, ...result }),
  }
}

export const pathsOf = (env: Env): ReinPaths =>
  reinPaths({ env, homedir: homedir(), platform: process.platform, uid: process.getuid?.() ?? 0 })
