import { BoundedMap } from '../../base/util/bounded-map.ts'
import { millisecondsOf } from './duration.ts'
import type { Finding, LoadedRule, RuleMemory } from './types.ts'

interface Acts {
  turn: number
  session: number
  lastAt: number
}

const agentsKept = 500
const rulesKept = 2000

/** A name alone may be that of two rules. */
export const keyOf = ({ file, rule }: LoadedRule): string => `${file}\n${rule.name}`

class AgentMemory implements RuleMemory {
  readonly #now: () => number
  readonly #acts = new BoundedMap<string, Acts>(rulesKept)

  constructor(now: () => number) {
    this.#now = now
  }

  mayAct(loaded: LoadedRule): boolean {
    const acts = this.#acts.get(keyOf(loaded))
    if (acts === undefined) return true
    const { once, cooldown, max } = loaded.rule
    if (once !== undefined && acts[once] > 0) return false
    if (acts.turn >= (max?.turn ?? Infinity) || acts.session >= (max?.session ?? Infinity)) return false
    return cooldown === undefined || this.#now() - acts.lastAt >= millisecondsOf(cooldown)
  }

  acted(findings: readonly Finding[]): void {
    for (const key of new Set(findings.map(({ rule }) => keyOf(rule)))) {
      const before = this.#acts.get(key)
      this.#acts.set(key, {
        turn: (before?.turn ?? 0) + 1,
        session: (before?.session ?? 0) + 1,
        lastAt: this.#now(),
      })
    }
  }

  beginTurn(): void {
    for (const acts of this.#acts.values()) acts.turn = 0
  }
}

/** The acts of rules for each agent. They are forgotten with the daemon: then a rule may repeat itself once. */
export class RuleMemories {
  readonly #now: () => number
  readonly #agents = new BoundedMap<string, AgentMemory>(agentsKept)

  constructor(now: () => number) {
    this.#now = now
  }

  /** `agent` is whatever names it for good. */
  of(agent: string): RuleMemory {
    const memory = this.#agents.get(agent) ?? new AgentMemory(this.#now)
    this.#agents.set(agent, memory)
    return memory
  }

  beginTurn(agent: string): void {
    this.#agents.get(agent)?.beginTurn()
  }

  beginSession(agent: string): void {
    this.#agents.delete(agent)
  }
}

/** For explanations, which have no effect. */
export const noMemory: RuleMemory = { mayAct: () => true, acted: () => {} }
