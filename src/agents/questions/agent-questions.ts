import type { Agent, Question } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import type { HookCall, HookReply, ToolCall } from '../../contract/hooks.ts'
import type { Answer, HostedAgent, HostEvent } from '../../contract/host.ts'
import type { Evidence } from '../../contract/identity.ts'
import type { RecordBody } from '../../contract/record.ts'
import { answeredText, Grants, heldQuestion, heldText } from './held-calls.ts'
import type { Signal } from '../state/machine.ts'
import { type Asked, askedAt, PersonAsks } from './person-asks.ts'
import { rulingIn, Rulings, wordsOf } from './rulings.ts'

/** Who answers what waits for a person: one, or a rule in place of one who is not there. */
export type Answerer = 'person' | 'rule'

type Noted = 'agent.answered' | 'agent.held'

interface AskingPorts {
  agent(): Agent
  /** Whether its CLI asks when a hook wants it to; `isRewritten`: about the call as it was rewritten. */
  canAsk(isRewritten: boolean): boolean
  process(): HostedAgent
  now(): number
  decide(agent: Agent, asked: Asked): Promise<HookReply>
  note<T extends Noted>(type: T, body: RecordBody<T>): void
  apply(signal: Signal, since?: number): void
  say(text: string): void
}

/** More than these a person does not answer one by one. */
const mostHeld = 20

/** What one agent asks, what Rein wants to be asked about it, and how each is answered: by a rule, a policy or a person. */
export class Asking {
  readonly #ports: AskingPorts
  readonly #asks = new PersonAsks()
  readonly #rulings: Rulings
  readonly #grants: Grants
  /** What its protocol asks now. */
  #open: string | null = null

  constructor(ports: AskingPorts) {
    this.#ports = ports
    this.#grants = new Grants(() => ports.now())
    this.#rulings = new Rulings({
      decide: (asked) => this.#decide(asked),
      answer: (question, answer) => ports.process().answer(question, answer),
      note: (body) => ports.note('agent.answered', body),
    })
  }

  takeOver(question: Question | null): void {
    this.#asks.takeOver(question)
  }

  forget(): void {
    this.#asks.forget()
    this.#rulings.forget()
  }

  heed(call: HookCall): void {
    this.#asks.heed(call)
  }

  /** Whether Rein wants a person to be asked about this. */
  asksPerson(asked: Asked): boolean {
    return this.#asks.why(asked) !== null
  }

  /** Whether a person has allowed this very call, which was held; `isTaken`: it is run now, and no other time. */
  isGranted(tool: ToolCall, isTaken: boolean): boolean {
    return isTaken ? this.#grants.take(tool) : this.#grants.has(tool)
  }

  /** A question that its protocol asks may be one for a rule or its policy; what only a screen shows never is. */
  hear({ state, question, call = null, tool, evidence, until = null }: Extract<HostEvent, { kind: 'state' }>): void {
    const from = evidence.source === 'screen' ? 'screen' : 'stream'
    const asked = this.#asks.hear(question, call, tool)
    this.#open = question?.id ?? null
    if (question === null) this.#rulings.forget()
    const settle = (): void =>
      this.#ports.apply({ from, state, question: this.#asks.explained(asked), evidence, until })
    if (from === 'screen' || asked === null) return settle()
    // By the time that is known the question may be gone.
    const orElse = (): void => (this.#open === asked.question.id ? settle() : undefined)
    if (!this.#rulings.takes(asked, orElse)) settle()
  }

  /** What a call means for the state, once it is known what it is answered. `isSaid`: the reply carries the verdict. */
  conclude(given: HookCall, reply: HookReply, isSaid: boolean, since: number): void {
    const asked = askedAt(given)
    const call = { ...given, question: this.#asks.explained(asked) }
    const { decision } = reply
    if (decision?.kind === 'ask' && this.#ports.canAsk(decision.input !== undefined))
      this.#asks.open(call, decision.reason, decision.input)
    const settle = (): void => this.#ports.apply({ from: 'hook', call, goesOn: reply.goOn.length > 0 }, since)
    const ruling = asked === null ? null : rulingIn(reply)
    if (asked === null || ruling === null) return settle()
    if (isSaid) return this.#rulings.gave(asked.question, ruling)
    // A hook that carries no verdict still tells that it is asked: then the dialog is answered.
    void this.#rulings.give(asked, ruling, settle)
  }

  /** Where the CLI cannot ask, the call does not run, and the question stands until a person has answered it. */
  hold({ tools }: HookCall, reply: HookReply): HookReply {
    const { decision } = reply
    const [tool] = tools
    if (decision?.kind !== 'ask' || tool === undefined) return reply
    if (this.#ports.canAsk(decision.input !== undefined)) return reply
    const question = heldQuestion({ ...tool, input: decision.input ?? tool.input }, decision.reason)
    const others = this.#ports.agent().held.filter(({ id }) => id !== question.id)
    this.#ports.note('agent.held', { held: [...others, question].slice(-mostHeld) })
    return { ...reply, decision: { kind: 'deny', reason: heldText(decision.reason) } }
  }

  async answer(answer: Answer, why: string, by: Answerer): Promise<void> {
    const hosted = this.#ports.process()
    const { question, held, handle, state } = this.#ports.agent()
    const [oldest] = held
    if (question === null && oldest !== undefined) return this.#answerHeld(oldest, answer, why, by)
    if (question === null)
      throw new ReinError('nothing_to_answer', `${handle} is not waiting for an answer (${state}).`)
    await hosted.answer(question, answer)
    this.#asks.answered(question)
    this.#ports.note('agent.answered', { question, answer: wordsOf(answer), by, why })
    const evidence: Evidence = { source: 'command', detail: `answered: ${answer.kind}` }
    this.#ports.apply({ from: 'stream', state: 'working', question: null, evidence })
  }

  /** Why a person is asked in place of a policy stands with the question. */
  async #decide(asked: Asked): Promise<HookReply> {
    const reply = await this.#ports.decide(this.#ports.agent(), asked)
    const why = reply.opinions?.find(({ kind, reason }) => kind === 'ask' && reason !== '')?.reason
    const { tool: name, input } = asked.question
    if (reply.verdict === undefined && why !== undefined)
      this.#asks.open({ tools: [{ id: asked.call, name, input }], subagent: null }, why)
    return reply
  }

  #answerHeld(question: Question, answer: Answer, why: string, by: Answerer): void {
    const others = this.#ports.agent().held.filter(({ id }) => id !== question.id)
    if (answer.kind === 'allow') this.#grants.give(question)
    this.#ports.note('agent.held', { held: others })
    this.#ports.note('agent.answered', { question, answer: wordsOf(answer), by, why })
    this.#ports.say(answeredText(question, answer))
  }
}
