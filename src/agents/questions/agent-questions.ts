import { type Agent, isAlive, openQuestion, type Question } from '../../contract/agent.ts'
import { ReinError } from '../../contract/errors.ts'
import { fullName } from '../../contract/handle.ts'
import type { HookCall, HookReply, ToolCall } from '../../contract/hooks.ts'
import type { Answer, HostedAgent, HostEvent } from '../../contract/host.ts'
import { type Actor, byRein, type Evidence } from '../../contract/identity.ts'
import { isLoginQuestion } from '../../contract/login-question.ts'
import type { AgentPorts } from '../ports.ts'
import type { CurrentAgent } from '../state/current-agent.ts'
import { answeredText, Grants, heldQuestion, heldText } from './held-calls.ts'
import { isEnding } from './ending-answer.ts'
import { allowedCall, mostAllowed, whyOnlyOnce } from './allowed-calls.ts'
import { type Asked, askedAt, PersonAsks } from './person-asks.ts'
import { describeAnswer, rulingIn, Rulings } from './rulings.ts'

/** Who answers a question that waits for a person: that person, or a rule in their absence. */
interface Answering {
  actor: Actor
  by: 'person' | 'rule'
  /** By which way the answer came, or why a rule gave it. */
  why: string
  /** The question that it is for; else the open one, or the oldest held call. */
  question?: string | undefined
}

const nothingAsked = ({ handle, state }: Pick<Agent, 'handle' | 'state'>): ReinError =>
  new ReinError(
    'nothing_to_answer',
    `${handle} is not waiting for an answer (${state}).`,
    'See which agents ask something: rein ps',
  )

/** A person does not answer more than this one by one. */
const mostHeld = 20
/** A CLI that runs on after this was not ended by its dialog. */
const endsWithinMs = 30_000

/** The questions of one agent and those that Rein wants to be asked, and how each is answered: by a rule, a policy or a person. */
export class AgentQuestions {
  readonly #current: CurrentAgent
  readonly #ports: AgentPorts
  readonly #process: () => HostedAgent
  readonly #asks = new PersonAsks()
  readonly #rulings: Rulings
  readonly #grants: Grants
  /** The question that the protocol has open now. */
  #open: string | null = null
  /** The question that was open at the takeover. */
  #adopted: string | null = null
  /** The last answer usually ends the CLI. */
  #isEndChosen = false

  /** `process` throws if the agent does not run. */
  constructor(current: CurrentAgent, ports: AgentPorts, process: () => HostedAgent) {
    this.#current = current
    this.#ports = ports
    this.#process = process
    this.#grants = new Grants(() => ports.now())
    this.#rulings = new Rulings({
      decide: (asked) => this.#decide(asked),
      answer: (question, answer) => process().answer(question, answer),
      note: (body) => current.note('agent.answered', body),
    })
  }

  /** The agent is adopted; `question` was open when the last daemon ended. */
  adopt(question: Question | null): void {
    this.#asks.takeOver(question)
    this.#adopted = question?.id ?? null
  }

  /** The process has ended: nothing is asked any more. */
  forget(): void {
    this.#asks.forget()
    this.#rulings.forget()
  }

  /** A tool has ended, or the agent stops: the reasons to ask about its calls are gone. */
  hearHook(call: HookCall): void {
    this.#asks.heed(call)
  }

  /** Its CLI goes on: the answer that this daemon has given has not ended it. One that is stopped calls its last hooks, too. */
  goesOn(): void {
    if (this.#isEndChosen) this.#expectEnd(null, byRein)
  }

  /** Time has passed: a CLI that runs on was not ended. */
  tick(): void {
    const { ending, state } = this.#current.agent
    if (ending !== null && isAlive(state) && this.#ports.now() >= ending.until) this.#expectEnd(null, byRein)
  }

  /** Who has chosen the option by which the CLI ends, which is no crash then; else null. */
  get ender(): Actor | null {
    const { ending } = this.#current.agent
    return ending !== null && this.#ports.now() < ending.until ? ending.actor : null
  }

  /** Whether Rein wants a person to be asked about this. */
  asksPerson(asked: Asked): boolean {
    return this.#asks.why(asked) !== null
  }

  /** Whether a person has allowed exactly this held call; `isTaken`: it runs now, and the grant is used up. */
  isGranted(tool: ToolCall, isTaken: boolean): boolean {
    return isTaken ? this.#grants.take(tool) : this.#grants.has(tool)
  }

  /** A question of the protocol may be answered by a rule or a policy; one that only a screen shows never is. */
  hearHost({
    state,
    question,
    call = null,
    tool,
    evidence,
    until = null,
  }: Extract<HostEvent, { kind: 'state' }>): void {
    const from = evidence.source === 'screen' ? 'screen' : 'stream'
    const asked = this.#asks.hear(question, call, tool)
    this.#open = question?.id ?? null
    if (question === null) this.#rulings.forget()
    const settle = (): void =>
      this.#current.apply({ from, state, question: this.#asks.explained(asked), evidence, until })
    if (from === 'screen' || asked === null) return settle()
    // The question may be gone by the time of the ruling.
    const orElse = (): void => (this.#open === asked.question.id ? settle() : undefined)
    if (!this.#rulings.takes(asked, orElse)) settle()
  }

  /** Updates the state from a hook call that was answered. `isSaid`: the reply carries the verdict. */
  settleHook(given: HookCall, reply: HookReply, isSaid: boolean): void {
    const asked = askedAt(given)
    const call = { ...given, question: this.#asks.explained(asked) }
    const { decision } = reply
    if (decision?.kind === 'ask' && this.#canAsk(decision.input !== undefined))
      this.#asks.open(call, decision.reason, decision.input)
    const since = this.#current.lastHookAt
    const settle = (): void => this.#current.apply({ from: 'hook', call, goesOn: reply.goOn.length > 0 }, since)
    const ruling = asked === null ? null : rulingIn(reply)
    if (asked === null || ruling === null) return settle()
    if (isSaid) return this.#rulings.gave(asked.question, ruling)
    // The CLI asks although its hook carries no verdict: then Rein answers the dialog.
    void this.#rulings.give(asked, ruling, settle)
  }

  /** The CLI has not got the verdict: its dialog is open. A denial is given to it; another one may be in front, so a person allows. */
  missVerdict(call: HookCall, reply: HookReply): void {
    const asked = askedAt(call)
    const ruling = rulingIn(reply)
    if (asked === null || ruling === null || this.asksPerson(asked)) return
    const since = this.#current.lastHookAt
    // What stays open a screen of Rein's shows by itself, and that it was closed.
    const orElse = (): void => {
      if (this.#current.agent.host === 'outside') this.#current.apply({ from: 'hook', call, goesOn: false }, since)
    }
    if (ruling.verdict.kind === 'allow') return orElse()
    void this.#rulings.give(asked, ruling, orElse)
  }

  /** Where the CLI cannot ask, the call is denied, and the question stays open until a person has answered it. */
  holdCall({ tools }: HookCall, reply: HookReply): HookReply {
    const { decision } = reply
    const [tool] = tools
    if (decision?.kind !== 'ask' || tool === undefined) return reply
    if (this.#canAsk(decision.input !== undefined)) return reply
    const question = heldQuestion({ ...tool, input: decision.input ?? tool.input }, decision.reason)
    const others = this.#current.agent.held.filter(({ id }) => id !== question.id)
    this.#current.note('agent.held', { held: [...others, question].slice(-mostHeld) })
    // A call whose denial is lost has run: allowed by a person, it would run again.
    const onLost = (): void => {
      const { held } = this.#current.agent
      if (held.includes(question)) this.#current.note('agent.held', { held: held.filter((one) => one !== question) })
    }
    const onLosts = [...(reply.onLost ?? []), onLost]
    return { ...reply, decision: { kind: 'deny', reason: heldText(decision.reason) }, onLost: onLosts }
  }

  /** The question with this id; without one the question to answer first, null if nothing is asked. */
  find(id: string | undefined): Question | null {
    const { question, held, handle } = this.#current.agent
    if (id === undefined) return openQuestion(this.#current.agent)
    const found = [question, ...held].find((one) => one?.id === id)
    if (found != null) return found
    throw new ReinError('nothing_to_answer', `${handle} no longer asks that.`, 'See what it asks now: rein ps')
  }

  /** Answers the open question, or else the oldest held call. */
  async answer(answer: Answer, { actor, by, why, question: id }: Answering): Promise<void> {
    const hosted = this.#process()
    const { held, handle } = this.#current.agent
    const question = this.find(id)
    if (question === null) throw nothingAsked(this.#current.agent)
    if (held.includes(question)) {
      if (answer.kind === 'allow') this.#grants.give(question)
      this.#current.note('agent.held', { held: held.filter((one) => one !== question) }, actor)
      this.#current.note('agent.answered', { question, answer: describeAnswer(answer), by, why }, actor)
      return this.#ports.say(this.#current.agent, answeredText(question, answer))
    }
    if (isLoginQuestion(question) && (question.options ?? []).length === 0)
      throw new ReinError(
        'refused',
        `${handle} is not logged in: ${question.summary}`,
        `Log in to its CLI, then: rein restart ${handle}`,
      )
    // On disk before the key is pressed: this daemon may not live to see the end.
    this.#isEndChosen = isEnding(question, answer)
    this.#expectEnd(this.#isEndChosen ? this.#ports.now() + endsWithinMs : null, actor)
    if (this.ender !== null) await this.#current.written
    await hosted.answer(question, answer).catch((cause: unknown) => {
      this.#expectEnd(null, byRein)
      throw cause
    })
    this.#asks.answered(question)
    this.#current.note('agent.answered', { question, answer: describeAnswer(answer), by, why }, actor)
    // It may have ended already; else it is about to.
    if (this.ender !== null || !isAlive(this.#current.agent.state)) return
    const evidence: Evidence = { source: 'command', detail: `answered: ${answer.kind}` }
    this.#current.apply({ from: 'stream', state: 'working', question: null, evidence }, this.#ports.now(), actor)
  }

  /** Allows the call of this question, and from then on exactly this call whenever the agent asks for it. */
  async allowAlways(id: string, answering: Omit<Answering, 'question'>): Promise<void> {
    const question = this.find(id)
    if (question === null) throw nothingAsked(this.#current.agent)
    const reason = this.whyOnlyOnce(question)
    if (reason !== null)
      throw new ReinError('refused', reason, `Allow it once: rein answer ${fullName(this.#current.agent)} allow`)
    await this.answer({ kind: 'allow' }, { ...answering, question: id })
    const call = allowedCall(question)
    const others = this.#current.agent.allowed.filter((one) => one.id !== call.id)
    this.#current.note('agent.allowed', { allowed: [...others, call].slice(-mostAllowed) }, answering.actor)
    await this.#current.written
  }

  /** Asks again about a call that was allowed for good. */
  async askAgain(given: string, actor: Actor): Promise<void> {
    const { allowed, handle } = this.#current.agent
    const left = allowed.filter(({ id }) => !id.startsWith(given))
    if (left.length !== allowed.length - 1)
      throw new ReinError(
        left.length === allowed.length ? 'not_found' : 'ambiguous_id',
        `${left.length === allowed.length ? 'No' : 'More than one'} call of ${handle} that is always allowed has the id ${JSON.stringify(given)}.`,
        `List them: rein answer ${fullName(this.#current.agent)}`,
      )
    this.#current.note('agent.allowed', { allowed: left }, actor)
    await this.#current.written
  }

  /** Secrets are taken out of what is on disk: that is not the call that will be asked about again. */
  whyOnlyOnce(question: Question): string | null {
    if (question.id === this.#adopted) return 'It was asked before Rein was started anew, which may not know it whole.'
    return whyOnlyOnce(question, this.#ports.driver(this.#current.agent.driver))
  }

  #expectEnd(until: number | null, actor: Actor): void {
    if ((this.#current.agent.ending?.until ?? null) !== until) this.#current.note('agent.ending', { until }, actor)
  }

  /** Whether the CLI asks when a hook wants it to; `isRewritten`: about the call as it was rewritten. */
  #canAsk(isRewritten: boolean): boolean {
    const { driver: name, version, host } = this.#current.agent
    const driver = this.#ports.driver(name)
    return driver.capabilities(version, host).ask && !(isRewritten && driver.hooks.asksOriginal === true)
  }

  /** Where a person is asked in place of a policy, the reason is shown with the question. */
  async #decide(asked: Asked): Promise<HookReply> {
    const reply = await this.#ports.decide(this.#current.agent, asked)
    const why = reply.opinions?.find(({ kind, reason }) => kind === 'ask' && reason !== '')?.reason
    const { tool: name, input } = asked.question
    if (reply.verdict === undefined && why !== undefined)
      this.#asks.open({ tools: [{ id: asked.call, name, input }], subagent: null }, why)
    return reply
  }
}
