import type { Question } from '../../../contract/agent.ts'
import type { AnyRecord } from '../../../contract/record.ts'
import { isWithin } from '../../../base/shell/places.ts'

/** An agent as the log knows it. */
export interface RecordedAgent {
  id: string
  handle: string
  driver: string
  host: string
  cwd: string
}

/** A recorded answer to a question of an agent. */
export interface RecordedAnswer {
  at: number
  agent: RecordedAgent
  question: Question
  answer: string
}

/** Agents, their directories and answered questions, from the topic `agents`. */
export class RecordedAgents {
  readonly #agents = new Map<string, RecordedAgent>()
  readonly answers: RecordedAnswer[] = []

  add(record: AnyRecord): void {
    if (record.type === 'agent.created') {
      const { id, handle, driver, host, cwd } = record.body.agent
      this.#agents.set(id, { id, handle, driver, host, cwd })
    }
    const agent = this.get(record.agent)
    if (agent === undefined) return
    if (record.type === 'agent.launched') Object.assign(agent, { cwd: record.body.cwd, host: record.body.host })
    if (record.type === 'agent.answered' && record.body.by === 'person')
      this.answers.push({ at: record.at, agent, question: record.body.question, answer: record.body.answer })
  }

  get(id: string | null): RecordedAgent | undefined {
    return id === null ? undefined : this.#agents.get(id)
  }

  /** The agents that worked in a directory or below it. */
  within(root: string): ReadonlySet<string> {
    return new Set([...this.#agents.values()].filter(({ cwd }) => isWithin(root, cwd)).map(({ id }) => id))
  }
}
