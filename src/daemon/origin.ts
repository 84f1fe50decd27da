import type { Socket } from 'node:net'
import { type Agent, isAlive } from '../contract/agent.ts'
import { BoundedMap } from '../base/util/bounded-map.ts'
import { type Forebear, isStillThere, readLineage } from '../base/util/lineage.ts'
import { highestMark, ownLockLimit } from '../base/util/lock-limit.ts'
import { findNamed, type OwnName } from '../base/util/shown-name.ts'
import { SocketPeers } from '../base/util/socket-peer.ts'

/**
 * Where a request comes from, by the processes that the kernel shows. `stranger`: from another user. `unseen`: from a
 * process that is not shown here: one of another user, of another PID namespace (a container) or one that has ended.
 * `unknown`: it cannot be determined, so it may decide nothing.
 */
export type Origin =
  | { kind: 'person' }
  /** Null: an agent, but unknown which one. */
  | { kind: 'agent'; agent: Agent | null }
  | { kind: 'stranger' }
  | { kind: 'unseen' }
  | { kind: 'unknown' }

interface Asking {
  socket: Socket
  /** The claim of a caller about its own process. */
  name: string | undefined
}

/** More callers than are ever there at once. */
const rememberedCallers = 1000

/** Tells people from agents by the process that calls, whatever its environment says. */
export class Origins {
  readonly #agents: () => readonly Agent[]
  readonly #self = readSelf()
  readonly #peers = new SocketPeers()
  /** The first finding about each caller: the later end of a parent does not make it a person. */
  readonly #byName = new BoundedMap<string, Forebear[]>(rememberedCallers)
  readonly #byPid = new BoundedMap<number, Forebear[]>(rememberedCallers)

  constructor(agents: () => readonly Agent[]) {
    this.#agents = agents
  }

  async of({ socket, name }: Asking): Promise<Origin> {
    // No other system tells this without starting a process for each caller.
    if (process.platform !== 'linux') return { kind: 'person' }
    const named = this.#named(name)
    if (named !== null) return decideOrigins([named], this.#agents(), this.#self)
    const pids = await this.#peers.of(socket)
    if (pids === null) return { kind: 'unknown' }
    const lineages = pids.map((pid) => this.#lineageOf(pid))
    return decideOrigins(lineages, this.#agents(), this.#self)
  }

  #named(header: string | undefined): Forebear[] | null {
    const name = header === undefined ? null : readName(header)
    if (name === null) return null
    const known = this.#byName.get(name.secret)
    if (known?.[0] !== undefined && isStillThere(known[0])) return known
    const pid = findNamed(name)
    const lineage = pid === null ? [] : readLineage(pid)
    if (lineage.length === 0) return null
    this.#byName.set(name.secret, lineage)
    return lineage
  }

  #lineageOf(pid: number): Forebear[] {
    const known = this.#byPid.get(pid)
    if (known?.[0] !== undefined && isStillThere(known[0])) return known
    const lineage = readLineage(pid)
    this.#byPid.set(pid, lineage)
    return lineage
  }
}

const readName = (header: string): OwnName | null => {
  const [, pid, secret] = /^(\d{1,10})\.([\w-]{16,64})$/.exec(header) ?? []
  return pid === undefined || secret === undefined ? null : { pid: Number(pid), secret }
}

/** This daemon. */
type Self = Pick<Forebear, 'pid' | 'uid' | 'lockLimit'>

const readSelf = (): Self => ({
  pid: process.pid,
  uid: process.getuid?.() ?? 0,
  lockLimit: ownLockLimit(),
})

/** The processes that hold one connection; an agent among them decides. */
export const decideOrigins = (
  lineages: readonly (readonly Forebear[])[],
  agents: readonly Agent[],
  self: Self,
): Origin => {
  const found = lineages.filter((one) => one.length > 0).map((one) => decideOrigin(one, agents, self))
  return found.find(({ kind }) => kind === 'agent') ?? found[0] ?? { kind: 'unseen' }
}

/**
 * Who is at the head of a lineage. The nearest agent counts. A process that has left its parents is known by what it
 * cannot leave so easily: the session, the environment that it was started with, and last the limit that only root can raise.
 */
export const decideOrigin = (lineage: readonly Forebear[], agents: readonly Agent[], self: Self): Origin => {
  // What this daemon has started itself, adapters above all, is the person's; agents that it has started come first.
  const end = lineage.findIndex(({ pid }) => pid === self.pid)
  const own = end === -1 ? lineage : lineage.slice(0, end)
  const [caller] = lineage
  const agent = firstOf(own, (one) => agentAt(one, agents)) ?? firstOf(own, (one) => agentBehind(one, agents))
  if (agent !== null) return { kind: 'agent', agent }
  if (end === -1 && caller !== undefined && isMarked(caller, self)) return { kind: 'agent', agent: null }
  return caller !== undefined && [self.uid, 0].includes(caller.uid) ? { kind: 'person' } : { kind: 'stranger' }
}

/**
 * The agent that Rein launched and under which this process was started; null if there is none. One that was started by hand
 * may start a daemon: its hooks and its MCP server need one.
 */
export const findStarter = (agents: readonly Agent[]): Agent | null => {
  const launched = agents.filter(({ host }) => host !== 'outside')
  const origin = decideOrigin(readLineage(process.pid), launched, { ...readSelf(), pid: 0 })
  return origin.kind === 'agent' ? origin.agent : null
}

/** A daemon that was itself started under an agent of another one has people with the same limit. */
const isMarked = ({ lockLimit }: Forebear, self: Self): boolean =>
  lockLimit < highestMark && lockLimit !== self.lockLimit

const firstOf = <T, R>(items: readonly T[], find: (item: T) => R | undefined): R | null => {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return null
}

const agentAt = ({ pid, startTime }: Forebear, agents: readonly Agent[]): Agent | undefined =>
  agents.find(({ process }) => process?.pid === pid && process.startTime === startTime)

/** An agent that was started by hand shares the session of its shell. */
const agentBehind = ({ session, environment, lockLimit }: Forebear, agents: readonly Agent[]): Agent | undefined => {
  const ofSession = agents.find(
    ({ host, process, state }) => host !== 'outside' && isAlive(state) && process?.pid === session,
  )
  const id = environment.find((entry) => entry.startsWith('REIN_AGENT='))?.slice('REIN_AGENT='.length)
  return ofSession ?? agents.find((agent) => agent.id === id || agent.launch === lockLimit)
}
