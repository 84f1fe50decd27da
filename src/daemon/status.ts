import type { Base } from '../base/base.ts'
import { isAlive } from '../contract/agent.ts'
import type { Hello, Status } from '../contract/routes/daemon.ts'
import { version } from '../base/util/version.ts'
import type { Features } from './features.ts'
import type { Origins } from './origin.ts'
import type { Upkeep } from './upkeep.ts'

/** The parts of the daemon. */
export interface DaemonParts {
  base: Base
  features: Features
  origins: Origins
  upkeep: Upkeep
  /** Damage found in the database since this daemon started, as sentences. */
  damage: string[]
  since: number
  /** A port that could not be had, and why; not if another program has the one that the page had before. */
  portRefusal: { port: number; reason: string } | null
}

export const hello = (id: string): Hello => ({ id, version, pid: process.pid })

export const status = ({ base, features: { agents, apis }, since, damage }: DaemonParts): Status => ({
  pid: process.pid,
  version,
  since,
  agents: agents.supervisor.agents.filter((agent) => isAlive(agent.state)).length,
  directives: apis.inbox.inbox.openCount,
  accepted: apis.inbox.inbox.acceptedCount,
  commits: base.log.commits,
  damage,
})

export const rebuild = async ({ base, features }: DaemonParts): Promise<{ records: number; skipped: number[] }> => {
  const rebuilt = await base.log.rebuild()
  features.reload()
  return rebuilt
}
