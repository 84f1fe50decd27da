import { randomInt } from 'node:crypto'
import { type Agent, isAlive } from '../../contract/agent.ts'
import type { LaunchPlan } from '../../contract/host.ts'
import { markCommand, marksBelow, serverMark } from '../../base/util/lock-limit.ts'

/** The launches that Rein has begun; each has a number of its own. */
export class Launches {
  readonly #starting = new Map<string, number>()

  /** In the upper half: a daemon that was started under an agent has to stay below the number of that one. */
  begin(agent: string): number {
    const launch = randomInt(Math.ceil(marksBelow() / 2), serverMark())
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
    if (launch === undefined) return plan
    const [command, args] = markCommand(launch, plan.command, plan.args)
    return { ...plan, command, args }
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
