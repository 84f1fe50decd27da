import type { Question } from '../../contract/agent.ts'
import type { HookReply, Verdict } from '../../contract/hooks.ts'
import type { Answer } from '../../contract/host.ts'
import type { RecordBody } from '../../contract/record.ts'
import type { Asked } from './person-asks.ts'

/** A verdict, and who gave it. */
interface Ruling {
  verdict: Verdict
  by: 'policy' | 'rule'
  why: string
}

/** Null where a person is to decide. */
export const rulingIn = ({ verdict, opinions = [] }: HookReply): Ruling | null => {
  if (verdict === undefined) return null
  const kind = verdict.kind === 'allow' ? 'approve' : 'deny'
  const why = opinions.find((one) => one.kind === kind)?.by ?? ''
  return { verdict, by: why.startsWith('rule ') ? 'rule' : 'policy', why }
}

interface Deeds {
  /** What rules and policies say together. */
  decide(asked: Asked): Promise<HookReply>
  answer(question: Question, answer: Answer): Promise<void>
  note(body: RecordBody<'agent.answered'>): void
}

/** What one agent is answered without a person. It is asked only about what its hooks or its protocol said, never a screen. */
export class Rulings {
  readonly #deeds: Deeds
  /** A protocol repeats what is open with everything it says. */
  readonly #judging = new Set<string>()
  readonly #left = new Set<string>()

  constructor(deeds: Deeds) {
    this.#deeds = deeds
  }

  /** False where a person is known to decide; else `orElse` is told when that turns out. */
  takes(asked: Asked, orElse: () => void): boolean {
    const { id, kind } = asked.question
    // What has no yes or no is never answered by anybody else.
    if (kind === 'question' || this.#left.has(id)) return false
    void this.#once(asked, orElse, async () => rulingIn(await this.#deeds.decide(asked)))
    return true
  }

  /** Says what was decided already, where the reply to the hook could not. */
  async give(asked: Asked, ruling: Ruling, orElse: () => void): Promise<void> {
    await this.#once(asked, orElse, () => Promise.resolve(ruling))
  }

  /** The reply to the agent's hook has said it. */
  gave(question: Question, { verdict, by, why }: Ruling): void {
    this.#deeds.note({ question, answer: verdict.kind, by, why })
  }

  /** Nothing is asked any more. */
  forget(): void {
    this.#left.clear()
  }

  /** A question that is not answered is left to a person, whatever kept it from being answered. */
  async #once(asked: Asked, orElse: () => void, decide: () => Promise<Ruling | null>): Promise<void> {
    const { question } = asked
    if (this.#judging.has(question.id)) return
    this.#judging.add(question.id)
    const isGiven = await this.#give(question, decide).catch(() => false)
    this.#judging.delete(question.id)
    if (isGiven) return
    this.#left.add(question.id)
    orElse()
  }

  async #give(question: Question, decide: () => Promise<Ruling | null>): Promise<boolean> {
    const ruling = await decide()
    if (ruling === null) return false
    const { verdict, by } = ruling
    // A rule's reason is for the model, also where a refusal has no place for one.
    const answer: Answer =
      verdict.kind === 'allow'
        ? { kind: 'allow' }
        : { kind: 'deny', message: verdict.reason, isToBeTold: by === 'rule' }
    await this.#deeds.answer(question, answer)
    this.gave(question, ruling)
    return true
  }
}

/** An answer in the words in which it is given to `rein answer`. */
export const describeAnswer = (answer: Answer): string => (answer.kind === 'text' ? answer.text : answer.kind)
