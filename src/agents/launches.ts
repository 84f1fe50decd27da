import { randomInt } from 'node:crypto'
import { type Agent, isAlive } from '../contract/agent.ts'
import type { LaunchPlan } from '../contract/host.ts'
import { readLockLimit } from '../util/lineage.ts'

/** Exact in JavaScript, and above whatever a person may have set. */
const highest = 2 ** 47

/** A limit below this leaves no room for numbers; then what is started goes without. */
const lowest = 1000

/** `-w` in dash, `-x` in bash; a shell that knows neither starts the CLI all the same. */
const script = 'launch=$1; shift; { ulimit -w "$launch" || ulimit -x "$launch"; } 2>/dev/null; exec "$@"'

/** The launches that Rein has begun; each has a number of its own. */
export class Launches {
  readonly #starting = new Map<string, number>()
  readonly #below: number

  constructor(limit = readLockLimit('self')) {
    this.#below = limit < lowest ? highest : Math.min(limit, highest)
  }

  /** In the upper half: a daemon that was started under an agent has to stay below the number of that one. */
  begin(agent: string): number {
    const launch = randomInt(Math.ceil(this.#below / 2), this.#below)
    this.#starting.set(agent, launch)
    return launch
  }

  /** The one that is under way; null if none is. */
  underWay(agent: string): number | null {
    return this.#starting.get(agent) ?? null
  }

  /** The plan, for a process whose children can all be told by the number of its launch, wherever they go. */
  mark(agent: string, plan: LaunchPlan): LaunchPlan {
    const launch = this.#starting.get(agent)
    if (launch === undefined || process.platform !== 'linux') return plan
    return { ...plan, command: '/bin/sh', args: ['-c', script, 'sh', String(launch), plan.command, ...plan.args] }
  }

  /** It runs and is known by now, or has failed. */
  end(agent: string): void {
    this.#starting.delete(agent)
  }

  /** Whether what was given to a launch still counts: it ends with the process, and with the next launch. */
  isCurrent({ id, state, launch }: Agent, given: number | null): boolean {
    const underWay = this.#starting.get(id)
    return underWay === undefined ? isAlive(state) && launch === given : underWay === given
  }
}
