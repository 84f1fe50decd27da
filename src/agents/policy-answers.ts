import type { Agent, Question } from '../contract/agent.ts'
import type { Verdict } from '../contract/hooks.ts'
import type { Answer } from '../contract/host.ts'
import type { RecordBody } from '../contract/record.ts'
import { type Asked, PersonAsks } from './person-asks.ts'
import { judge, type Judgement } from './policy.ts'

interface Deeds {
  answer(question: Question, answer: Answer): Promise<void>
  note(body: RecordBody<'agent.answered'>): void
}

/** What one agent is answered by its policy. It is asked only about what its hooks or its protocol said, never a screen. */
export class PolicyAnswers {
  readonly #deeds: Deeds
  /** A protocol repeats what is open with everything it says. */
  readonly #answering = new Set<string>()
  /** What is not approved, because Rein wants a person to be asked about it. */
  readonly asks = new PersonAsks()

  constructor(deeds: Deeds) {
    this.#deeds = deeds
  }

  /** False where a person is to decide; `orElse` is told when the answer could not be given. */
  takes(agent: Agent, asked: Asked, orElse: (cause: unknown) => void): boolean {
    const { question } = asked
    const judgement = this.#judge(agent, asked)
    if (judgement === null) return false
    if (!this.#answering.has(question.id)) void this.#give(question, judgement).catch(orElse)
    return true
  }

  /** The reply to the agent's hook has said it. */
  gave(agent: Agent, asked: Asked): void {
    const judgement = this.#judge(agent, asked)
    if (judgement !== null) this.#note(asked.question, judgement)
  }

  #judge(agent: Agent, asked: Asked): Judgement | null {
    return judge(agent, asked.question, this.asks.why(asked) !== null)
  }

  async #give(question: Question, judgement: Judgement): Promise<void> {
    this.#answering.add(question.id)
    try {
      await this.#deeds.answer(question, answerOf(judgement.verdict))
      this.#note(question, judgement)
    } finally {
      this.#answering.delete(question.id)
    }
  }

  #note(question: Question, { verdict, why }: Judgement): void {
    this.#deeds.note({ question, answer: verdict.kind, by: 'policy', why })
  }
}

const answerOf = (verdict: Verdict): Answer =>
  verdict.kind === 'allow' ? { kind: 'allow' } : { kind: 'deny', message: verdict.reason }

/** An answer in the words in which it is given to `rein answer`. */
export const wordsOf = (answer: Answer): string => (answer.kind === 'text' ? answer.text : answer.kind)
