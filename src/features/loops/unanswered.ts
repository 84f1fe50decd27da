import type { Agent } from '../../contract/agent.ts'
import type { Answer } from '../../contract/host.ts'
import { after } from '../../base/util/timer.ts'
import { isLoopQuestion } from './wording.ts'

type Asking = Pick<Agent, 'id' | 'host' | 'since' | 'question' | 'request'>

export interface UnansweredPorts {
  /** How long a person may take; 0 waits for ever. */
  waitMs: number
  now: () => number
  agent: (id: string) => Asking | null
  /** Whether its tools run without asking a person: then there is no person to ask. */
  asksNobody: (agent: Asking) => boolean
  answer: (id: string, answer: Answer, why: string) => Promise<unknown>
  onTrouble: (cause: unknown) => void
}

/** Ends questions of loop control for unattended agents, which would wait for ever. */
export class Unanswered {
  readonly #ports: UnansweredPorts
  readonly #timers = new Map<string, () => void>()

  constructor(ports: UnansweredPorts) {
    this.#ports = ports
  }

  onChange(agent: Asking): void {
    const { waitMs, now } = this.#ports
    this.#timers.get(agent.id)?.()
    this.#timers.delete(agent.id)
    const { question, host } = agent
    const isAlone = host === 'stream' && question !== null && isLoopQuestion(question) && this.#ports.asksNobody(agent)
    if (waitMs === 0 || !isAlone) return
    const leftMs = Math.min(waitMs, agent.since + waitMs - now())
    this.#timers.set(
      agent.id,
      after(leftMs, () => this.#end(agent)),
    )
  }

  /** After a takeover nothing changes, and yet it may be asking. */
  onRead(agent: Asking): void {
    if (!this.#timers.has(agent.id)) this.onChange(agent)
  }

  #end({ id, question }: Asking): void {
    const { agent, answer, waitMs, onTrouble } = this.#ports
    this.#timers.delete(id)
    if (question === null || agent(id)?.question?.id !== question.id) return
    const why = `Nobody answered within ${Math.ceil(waitMs / 1000)} s (loops.ask_wait_s).`
    const message = `Not run: you go in circles, and a person was asked. ${why} Take another way, or say what is missing and stop.`
    answer(id, { kind: 'deny', message, isToBeTold: true }, why).catch(onTrouble)
  }
}
