import { homedir } from 'node:os'
import { agentSocket, type Env } from '../client/agent-env.ts'
import { type Client, createClient } from '../client/client.ts'
import { type ReinPaths, reinPaths } from '../util/paths.ts'

/** The daemon of this user, started if there is none; inside an agent, the one that started it. */
export const connectDaemon = (env: Env, { start = true } = {}): Client => {
  const given = agentSocket(env)
  const own = pathsOf(env)
  const paths = given === undefined ? own : { ...own, socket: given }
  return createClient({ paths, env, start: start && given === undefined })
}

export const pathsOf = (env: Env): ReinPaths =>
  reinPaths({ env, homedir: homedir(), platform: process.platform, uid: process.getuid?.() ?? 0 })
