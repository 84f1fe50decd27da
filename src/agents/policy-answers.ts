import type { Agent, Question } from '../contract/agent.ts'
import type { HookEvent, Verdict } from '../contract/hooks.ts'
import type { Answer } from '../contract/host.ts'
import type { RecordBody } from '../contract/record.ts'
import { judge, type Judgement } from './policy.ts'

interface Deeds {
  answer(question: Question, answer: Answer): Promise<void>
  note(body: RecordBody<'agent.answered'>): void
}

/** What was asked about before is over. */
const closing: readonly HookEvent[] = ['prompt', 'after_tool', 'after_batch', 'stop', 'stop_failed']

/** What one agent is answered by its policy. It is asked only about what its hooks or its protocol said, never a screen. */
export class PolicyAnswers {
  readonly #deeds: Deeds
  /** A protocol repeats what is open with everything it says. */
  readonly #answering = new Set<string>()
  /** A hook was told to ask a person, for this reason, and the call has not ended: nothing is approved meanwhile. */
  #why: string | null = null

  constructor(deeds: Deeds) {
    this.#deeds = deeds
  }

  get asksPerson(): boolean {
    return this.#why !== null
  }

  /** The reply to a hook said that a person is to be asked. */
  askPerson(why: string): void {
    this.#why = why
  }

  heed(event: HookEvent): void {
    if (closing.includes(event)) this.#why = null
  }

  /** A question, with Rein's reason for it. */
  explained(question: Question | null): Question | null {
    return question === null || this.#why === null ? question : { ...question, why: this.#why }
  }

  /** False where a person is to decide; `orElse` is told when the answer could not be given. */
  takes(agent: Agent, question: Question, orElse: (cause: unknown) => void): boolean {
    const judgement = judge(agent, question, this.asksPerson)
    if (judgement === null) return false
    if (!this.#answering.has(question.id)) void this.#give(question, judgement).catch(orElse)
    return true
  }

  /** The reply to the agent's hook has said it. */
  gave(agent: Agent, question: Question): void {
    const judgement = judge(agent, question, this.asksPerson)
    if (judgement !== null) this.#note(question, judgement)
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
