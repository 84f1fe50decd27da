import { homedir } from 'node:os'
import { agentSocket, type Env } from '../../client/agent-env.ts'
import { createClient } from '../../client/client.ts'
import type { Daemon } from './adapter.ts'
import { type ReinPaths, reinPaths } from '../../base/util/paths.ts'

/**
 * The daemon of this user, started if there is none; inside an agent, the one that started it.
 * Each call passes on the fields that it knows: an adapter is plain JavaScript and may give others, which must not choose the channel.
 */
export const connectDaemon = (env: Env, { start = true } = {}): Daemon => {
  const given = agentSocket(env)
  const own = pathsOf(env)
  const paths = given === undefined ? own : { ...own, socket: given }
  const client = createClient({ paths, env, start: start && given === undefined })
  return {
    createChannel: ({ name, isHuman, isKept, senders }) => client.createChannel({ name, isHuman, isKept, senders }),
    receive: (name, { text, claimedAt, sender, meta, key }) =>
      client.receive({ name, content: text, ts: claimedAt, sender, meta, key }),
    take: (name, { limit, leaseMs, waitMs }, signal) => client.take({ name, limit, leaseMs, waitMs }, signal),
    settle: (name, { id, error, retryInMs }) => client.settle({ name, id, error, retryInMs }),
  }
}

export const pathsOf = (env: Env): ReinPaths =>
  reinPaths({ env, homedir: homedir(), platform: process.platform, uid: process.getuid?.() ?? 0 })
