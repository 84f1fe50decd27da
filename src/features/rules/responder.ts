import type { Agent } from '../../contract/agent.ts'
import {
  type ContextPart,
  contextSeparator,
  emptyReply,
  type HookCall,
  type HookReply,
  type Responder,
  type ResponderReply,
} from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import type { RecordBody } from '../../contract/record.ts'
import { callSummary, longestSummary } from '../../contract/tool-input.ts'
import { wakeSentence } from '../../contract/wake.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import type { Deeds } from './deeds.ts'
import { Judge, type JudgePorts, opinionOf } from './judging.ts'
import { Owed } from './owed.ts'
import type { RuleProblem } from './types.ts'

export interface RulePorts extends JudgePorts {
  deeds: Deeds
  /** Whether the model is told of a rewrite with that very answer. */
  tellsRewrite: (driver: string) => boolean
  /** Reads what its conversation shows by now, within what a hook may wait. */
  catchUp: (agent: string) => Promise<void>
  record: (body: RecordBody<'rule.decided'>, agent: Agent) => void
  /** What a call may wait for what rules say. */
  deadlineMs: number
}

const mostAgents = 500
const mostTold = 50
/** A rule that keeps an agent from stopping does so this often in a turn, unless it says otherwise. */
const mostStops = 3
/** Few rules rewrite, and what they make of a call has to be judged after that. */
const rewriteShare = 0.6

/** What rules need to remember of one agent's talk. */
interface Talk {
  /** What it was last told in place of stopping: it may come back as a prompt, which begins no new turn. */
  stopReply: string
  /** Problems of rule files that it knows of. */
  told: BoundedMap<string, true>
}

/** The rules, as those who answer hooks. */
export class RuleResponders {
  readonly #ports: RulePorts
  readonly #judge: Judge
  readonly #owed = new Owed('rules')
  readonly #talks = new BoundedMap<string, Talk>(mostAgents)
  readonly #stops = new BoundedMap<string, Map<string, number>>(mostAgents)

  constructor(ports: RulePorts) {
    this.#ports = ports
    this.#judge = new Judge(ports)
  }

  get responders(): Responder[] {
    const named = { name: 'rules' }
    return [
      {
        ...named,
        events: ['before_tool'],
        deadlineMs: this.#ports.deadlineMs * rewriteShare,
        isRewriter: true,
        respond: async (call) => ({ opinions: await this.#about(call, (agent) => this.#judge.rewrites(call, agent)) }),
        explain: (call) => this.#about(call, (agent) => this.#judge.rewrites(call, agent, true)),
        failing: (call, why) => this.#closed(call, why),
      },
      {
        ...named,
        events: ['session_start', 'prompt', 'before_tool', 'permission', 'after_tool', 'after_batch', 'stop'],
        deadlineMs: this.#ports.deadlineMs,
        respond: (call, room) => this.#respond(call, room),
        explain: (call) => (isTool(call) ? this.#about(call, (agent) => this.#judge.opinions(call, agent, true)) : []),
        failing: (call, why) => this.#closed(call, why),
      },
    ]
  }

  /** What guards say to a call, for a hook that asks for nothing else; null if they let it pass. */
  async guardVerdict(call: HookCall): Promise<string | null> {
    const opinions = await this.#about(call, async (agent) => {
      const rewrites = await this.#judge.rewrites(call, agent)
      const input = rewrites.findLast(({ kind }) => kind === 'rewrite')?.input
      const tools = input === undefined ? call.tools : call.tools.map((tool) => ({ ...tool, input }))
      return this.#judge.opinions({ ...call, tools }, agent)
    })
    return opinions.find(({ kind, isGuard }) => kind === 'deny' && isGuard === true)?.reason ?? null
  }

  /** It is known what became of the call: what the model does not hear with that is owed, and the decision is written down. */
  conclude(call: HookCall, reply: HookReply): void {
    const agent = this.#agentOf(call)
    const opinions = (reply.opinions ?? []).filter(({ by }) => by.startsWith('rule '))
    if (agent === null) return
    const isDenied = reply.decision?.kind === 'deny' || reply.verdict?.kind === 'deny'
    if (isDenied) this.#ports.deeds.refused(agent.id, call)
    if (opinions.length === 0) return
    this.#judge.said(agent, opinions)
    if (call.event === 'stop') {
      const stops = this.#stops.get(agent.id) ?? new Map<string, number>()
      for (const { by, kind } of opinions) if (kind === 'deny') stops.set(by, (stops.get(by) ?? 0) + 1)
      this.#stops.set(agent.id, stops)
    }
    const { decision } = reply
    const isRewriteTold = decision?.kind === 'rewrite' && this.#ports.tellsRewrite(call.driver)
    if (call.event === 'stop' || (!isDenied && isTool(call)))
      for (const { kind, reason } of opinions)
        if (kind === 'warn' || kind === 'context' || (kind === 'rewrite' && !isRewriteTold))
          this.#owed.owe(call, reason)
    this.#ports.record(describeDecision(call, agent, reply), agent)
  }

  async #respond(call: HookCall, room: number): Promise<ResponderReply> {
    const agent = this.#agentOf(call)
    if (agent === null) return {}
    switch (call.event) {
      case 'before_tool':
        return { opinions: await this.#judge.opinions(call, agent) }
      case 'permission':
        return { opinions: await this.#atPermission(call, agent) }
      case 'session_start':
        return this.#atStart(call, agent)
      case 'prompt':
        return this.#atPrompt(call, agent, room)
      case 'stop':
        if (call.subagent !== null || this.#ports.can(agent.id)?.onStop === false) return {}
        return this.#keptFromStopping(call, agent)
      default:
        await this.#ports.deeds.heard(agent.id, call)
        return { context: this.#owed.settle(call, room) }
    }
  }

  /** Where its hook was heard, the call is judged; else this is the only chance. */
  async #atPermission(call: HookCall, agent: Agent): Promise<Opinion[]> {
    if (call.tools.length === 0) return []
    const known = await this.#judge.known(call, agent)
    if (known !== null) return known.filter(({ kind }) => kind === 'deny' || kind === 'ask')
    return [...(await this.#judge.rewrites(call, agent)), ...(await this.#judge.opinions(call, agent))]
  }

  async #atStart(call: HookCall, agent: Agent): Promise<ResponderReply> {
    if (call.subagent !== null) return {}
    if (call.source === 'clear') this.#ports.deeds.beginSession(agent.id)
    if (call.source !== 'compact') this.#ports.memories.beginSession(agent.id)
    if (call.source === 'clear' || call.source === 'compact') this.#talks.delete(agent.id)
    return this.#ports.can(agent.id)?.onStart === true ? { context: await this.#problems(agent) } : {}
  }

  async #atPrompt(call: HookCall, agent: Agent, room: number): Promise<ResponderReply> {
    const talk = this.#talkOf(agent)
    const isNewTurn = call.subagent === null && (talk.stopReply === '' || !(call.prompt ?? '').includes(talk.stopReply))
    if (isNewTurn) {
      talk.stopReply = ''
      this.#ports.deeds.beginTurn(agent.id)
      this.#ports.memories.beginTurn(agent.id)
      this.#stops.delete(agent.id)
    }
    const opinions = await this.#judge.others(call, agent, opinionOf)
    const said = opinions.filter(({ kind }) => kind === 'warn' || kind === 'context' || kind === 'ask')
    const own = said.map(({ reason }) => ({ from: 'rules', text: reason }))
    return { opinions, context: [...(await this.#problems(agent)), ...own, ...this.#owed.settle(call, room)] }
  }

  /** An agent has stopped whose CLI calls no hook for that; what it is to be told to go on, if it is. */
  async stopped(call: HookCall): Promise<string | null> {
    const agent = this.#agentOf(call)
    if (agent === null) return null
    const { opinions = [], goOn = [] } = await this.#keptFromStopping(call, agent)
    this.conclude(call, { ...emptyReply, opinions, goOn })
    // It is woken to hear of it, which begins no new turn.
    if (goOn.length > 0) this.#talkOf(agent).stopReply = wakeSentence
    return goOn.length === 0 ? null : goOn.map(({ text }) => text).join(contextSeparator)
  }

  async #keptFromStopping(call: HookCall, agent: Agent): Promise<ResponderReply> {
    const { set } = await this.#judge.rulesOf(agent)
    if (agent.isPaused || !set.bySurface.has('stop')) return {}
    await this.#ports.catchUp(agent.id)
    const opinions = await this.#judge.others(call, agent, (finding) => {
      const opinion = opinionOf(finding)
      // No agent is kept for ever: a rule that has said so often enough only notes it.
      const said = this.#stops.get(agent.id)?.get(opinion.by) ?? 0
      const isOften = said >= (finding.rule.rule.max?.turn ?? mostStops)
      return opinion.kind === 'deny' && isOften ? { ...opinion, kind: 'log' } : opinion
    })
    const goOn = opinions.filter(({ kind }) => kind === 'deny').map(({ reason }) => ({ from: 'rules', text: reason }))
    this.#talkOf(agent).stopReply = goOn[0]?.text ?? ''
    return { opinions, goOn }
  }

  /** What keeps a guard from holding is told to those whom it would bind, once. */
  async #problems(agent: Agent): Promise<ContextPart[]> {
    const { told } = this.#talkOf(agent)
    const { set } = await this.#judge.rulesOf(agent)
    const news = set.problems.filter(
      (problem) => problem.isGuard && problem.isLoaded !== true && !told.has(keyOf(problem)),
    )
    for (const problem of news) told.set(keyOf(problem), true)
    if (news.length === 0) return []
    const places = news.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)
    return [{ from: 'rules', text: [problemsIntro, ...places].join('\n') }]
  }

  /** No answer is no permission where a guard could forbid the call: not all calls come by the hook that guards have. */
  #closed(call: HookCall, why: string): ResponderReply {
    const agent = this.#agentOf(call)
    if (agent === null || !isTool(call) || !this.#judge.mayForbid(call, agent)) return {}
    const reason = `Rein could not tell in time whether a guard rule forbids this (${why}), so it was not run. Try again.`
    return { opinions: [{ by: 'rule (none was asked in time)', kind: 'deny', reason, isGuard: true }] }
  }

  async #about(call: HookCall, of: (agent: Agent) => Promise<Opinion[]>): Promise<Opinion[]> {
    const agent = this.#agentOf(call)
    return agent === null ? [] : of(agent)
  }

  #agentOf({ agent }: HookCall): Agent | null {
    return agent === null ? null : this.#ports.agent(agent)
  }

  #talkOf({ id }: Agent): Talk {
    const talk = this.#talks.get(id) ?? { stopReply: '', told: new BoundedMap<string, true>(mostTold) }
    this.#talks.set(id, talk)
    return talk
  }
}

const isTool = ({ event }: HookCall): boolean => event === 'before_tool' || event === 'permission'

const keyOf = ({ file, line, message }: RuleProblem): string => `${file}:${line} ${message}`

const problemsIntro =
  'Rein: rules of this project that may guard it could not be read. Until they are right again, what they may forbid is denied. Tell the person you work for:'

/** The call in short; its secrets are taken out when it is written. */
const describeDecision = (call: HookCall, agent: Agent, reply: HookReply): RecordBody<'rule.decided'> => {
  const [tool] = call.tools
  const { decision, verdict, goOn } = reply
  const answered = verdict === undefined ? null : verdict.kind === 'allow' ? 'approve' : 'deny'
  return {
    event: call.event,
    conversation: call.conversation ?? agent.conversation,
    subagent: call.subagent?.id ?? null,
    tool: tool?.name ?? null,
    call: tool === undefined ? (call.prompt ?? call.event).slice(0, longestSummary) : callSummary(tool),
    // Without the input of a rewrite, which may be a whole file.
    opinions: (reply.opinions ?? []).map(({ by, kind, reason, isGuard }) => ({
      by,
      kind,
      reason,
      ...(isGuard === undefined ? {} : { isGuard }),
    })),
    decided: decision?.kind ?? answered ?? (goOn.length > 0 ? 'deny' : null),
  }
}
