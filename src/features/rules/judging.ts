import { createHash } from 'node:crypto'
import type { Agent } from '../../contract/agent.ts'
import type { HookCall, ToolCall } from '../../contract/hooks.ts'
import type { Opinion, OpinionKind } from '../../contract/opinion.ts'
import type { RuleAction } from '../../contract/rule.ts'
import type { Capabilities, Driver } from '../../drivers/contract.ts'
import { BoundedMap } from '../../base/util/bounded-map.ts'
import type { RulesOfPlace } from './book.ts'
import { evaluate, type Stage, stageOf } from './evaluate.ts'
import { noMemory, type RuleMemories } from './memory.ts'
import { byWeight, toldOf } from './message.ts'
import { subjectsOf } from './subjects.ts'
import type { Finding, RuleMemory, RuleSet, Subject, World } from './types.ts'

export interface JudgePorts {
  agent: (id: string) => Agent | null
  driver: (name: string) => Pick<Driver, 'actions' | 'shell'>
  can: (id: string) => Capabilities | null
  rulesFor: (cwd: string) => Promise<RulesOfPlace>
  world: (call: HookCall, agent: Agent, root: string | null) => World
  memories: RuleMemories
  /** Whether a person has allowed this very call, which was held; `isTaken`: it is run now. */
  isGranted: (agent: string, tool: ToolCall, isTaken: boolean) => boolean
  now: () => number
}

interface Judged {
  id: string | null
  at: number
  opinions: Promise<Opinion[]>
}

type LookAt = (memory: RuleMemory) => Promise<Finding[]>

const longestShown = 1000

const kinds: Record<RuleAction, OpinionKind> = {
  block: 'deny',
  ask: 'ask',
  rewrite: 'rewrite',
  warn: 'warn',
  context: 'context',
  log: 'log',
}

const mostJudged = 1000
const mostPlaces = 500
/** Two hooks tell of the same call within this time; a call without an id that comes later is another one. */
const sameCallMs = 2000
/** A person may take so long to answer what the call asks. */
const askedMs = 60 * 60 * 1000

/** Judges each call once, however many hooks and protocols report it. */
export class Judge {
  readonly #ports: JudgePorts
  readonly #judged = new BoundedMap<string, Judged>(mostJudged)
  /** The findings behind opinions that were not told yet. */
  readonly #unsaid = new WeakMap<Opinion, Finding>()
  /** The rules that were last in force where an agent is, for when there is no time to look. */
  readonly #last = new BoundedMap<string, RuleSet>(mostPlaces)

  constructor(ports: JudgePorts) {
    this.#ports = ports
  }

  /** The rewrites of a call; `isTried`: without any effect. */
  rewrites(call: HookCall, agent: Agent, isTried = false): Promise<Opinion[]> {
    return this.#once('rewrite', call, agent, isTried, (findings) => this.#rewritten(call, agent, findings))
  }

  /** The opinions about a call after all rewrites. */
  opinions(call: HookCall, agent: Agent, isTried = false): Promise<Opinion[]> {
    return this.#once('judge', call, agent, isTried, (findings) => this.#allowed(call, agent, findings, isTried))
  }

  /** The opinions from the hook before the tool, if it was heard: the permission request is about the same call. */
  known(call: HookCall, agent: Agent): Promise<Opinion[]> | null {
    const [tool] = call.tools
    if (tool === undefined) return null
    const found =
      [...this.#judged.entries()].findLast(
        ([key, { id }]) => id !== null && id === tool.id && key.startsWith(`judge ${agent.id} `),
      )?.[1] ?? this.#judged.get(keyOf('judge', agent, tool))
    return found === undefined || this.#ports.now() - found.at > askedMs ? null : found.opinions
  }

  /** The opinions about a prompt or a stop. */
  async others(call: HookCall, agent: Agent, make: (finding: Finding) => Opinion): Promise<Opinion[]> {
    const look = await this.#lookAt(call, agent, 'judge')
    return look === null ? [] : this.#noted(agent, look, (findings) => findings.map(make))
  }

  /** These were told. Only that counts as an act of their rules, once however many hooks tell of the call. */
  said({ id }: Agent, opinions: readonly Opinion[]): void {
    this.#ports.memories.of(id).acted(opinions.flatMap((one) => this.#unsaid.get(one) ?? []))
    for (const one of opinions) this.#unsaid.delete(one)
  }

  async rulesOf(agent: Agent): Promise<RulesOfPlace> {
    const place = await this.#ports.rulesFor(agent.cwd)
    this.#last.set(agent.cwd, place.set)
    return place
  }

  /** Whether a guard could forbid this call, as far as that is known at once. */
  mayForbid(call: HookCall, { cwd }: Agent): boolean {
    const set = this.#last.get(cwd)
    if (set === undefined) return true
    const surfaces = subjectsOf(asTool(call), this.#read(call)).map(({ surface }) => surface)
    return surfaces.some((one) => (set.bySurface.get(one) ?? []).some(({ rule }) => rule.guard))
  }

  /** Where no rule looks at such a call, it costs nothing more than to know that. */
  async #once(
    stage: Stage,
    call: HookCall,
    agent: Agent,
    isTried: boolean,
    make: (findings: Finding[]) => Opinion[],
  ): Promise<Opinion[]> {
    const [tool] = call.tools
    const look = await this.#lookAt(call, agent, stage)
    if (look === null || tool === undefined) return []
    if (isTried) return make((await look(noMemory)).toSorted(byWeight))
    const key = keyOf(stage, agent, tool)
    const known = this.#judged.get(key)
    if (known !== undefined && this.#isSame(known, agent, tool)) return known.opinions
    const opinions = this.#noted(agent, look, make)
    this.#judged.set(key, { id: tool.id, at: this.#ports.now(), opinions })
    // What failed is tried again when the next one tells of it.
    opinions.catch(() => this.#judged.delete(key))
    return opinions
  }

  /** A call that a person allowed meanwhile is judged again: without ids it looks like the held one. */
  #isSame(known: Judged, agent: Agent, tool: ToolCall): boolean {
    const { id } = tool
    if ((known.id ?? id) !== (id ?? known.id)) return false
    if (id !== null) return this.#ports.now() - known.at < askedMs
    return this.#ports.now() - known.at < sameCallMs && !this.#ports.isGranted(agent.id, tool, false)
  }

  /** `make` gives one opinion for each finding. */
  async #noted({ id }: Agent, look: LookAt, make: (findings: Finding[]) => Opinion[]): Promise<Opinion[]> {
    const findings = (await look(this.#ports.memories.of(id))).toSorted(byWeight)
    const opinions = make(findings)
    for (const [at, finding] of findings.entries()) {
      const opinion = opinions[at]
      if (opinion !== undefined) this.#unsaid.set(opinion, finding)
    }
    return opinions
  }

  /** How to look at a call; null if no rule does at that stage. */
  async #lookAt(call: HookCall, agent: Agent, stage: Stage): Promise<LookAt | null> {
    const { root, set } = await this.rulesOf(agent)
    if (set.rules.length === 0) return null
    const subjects = subjectsOf(asTool(call), this.#read(call))
    const isLooked = ({ surface }: Subject): boolean =>
      (set.bySurface.get(surface) ?? []).some(({ rule }) => stageOf(rule) === stage)
    if (!subjects.some(isLooked)) return null
    return (memory) => evaluate(set, subjects, this.#ports.world(call, agent, root), memory, stage)
  }

  #read({ driver }: HookCall): Driver['actions'] {
    return this.#ports.driver(driver).actions
  }

  /** A rewrite that its CLI, or the form of the call, has no way for is a refusal that says what to do. */
  #rewritten(call: HookCall, agent: Agent, findings: readonly Finding[]): Opinion[] {
    const [tool] = call.tools
    const canRewrite = call.event === 'before_tool' && (this.#ports.can(agent.id)?.rewrite ?? true)
    return findings.map((finding) => {
      const { text } = finding
      const input = tool === undefined || text === null ? null : this.#read(call)(tool.name, tool.input).rewritten(text)
      const own = opinionOf(finding)
      const shown = text !== null && text.length > longestShown ? `${text.slice(0, longestShown)}…` : text
      const reason = text === null ? own.reason : `${own.reason}\nIt is now:\n${shown}`
      if (input === null || !canRewrite)
        return { ...own, kind: 'deny', reason: `${reason}\nIt was not run: make the call like this yourself.` }
      return { ...own, reason, input }
    })
  }

  /** A held call that a person allowed is not asked about again. */
  #allowed(call: HookCall, agent: Agent, findings: readonly Finding[], isTried: boolean): Opinion[] {
    const opinions = findings.map(opinionOf)
    const [tool] = call.tools
    const isAsked = opinions.some(({ kind }) => kind === 'ask') && !opinions.some(({ kind }) => kind === 'deny')
    if (!isAsked || tool === undefined || !this.#ports.isGranted(agent.id, tool, !isTried)) return opinions
    return opinions.map((one) =>
      one.kind === 'ask' ? { ...one, kind: 'log', reason: `A person has allowed it. ${one.reason}` } : one,
    )
  }
}

export const opinionOf = (finding: Finding): Opinion => ({
  by: `rule ${finding.rule.rule.name}`,
  kind: kinds[finding.action],
  reason: toldOf(finding),
  ...(finding.rule.rule.guard ? { isGuard: true } : {}),
})

/** A permission is about the same call. */
const asTool = (call: HookCall): HookCall => (call.event === 'permission' ? { ...call, event: 'before_tool' } : call)

const keyOf = (stage: Stage, { id }: Agent, { name, input }: ToolCall): string =>
  `${stage} ${id} ${createHash('sha256')
    .update(JSON.stringify([name, input]))
    .digest('base64url')}`
