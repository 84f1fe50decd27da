import type { Agent } from '../../contract/agent.ts'
import {
  contextSeparator,
  type HookCall,
  type Responder,
  type ResponderReply,
  type ToolCall,
} from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import type { AnyNewRecord, RecordBody } from '../../contract/record.ts'
import { isOwnPrompt } from '../../contract/wake.ts'
import type { ConversationEntry } from '../../contract/conversation.ts'
import type { Driver } from '../../drivers/contract.ts'
import { type Actor, Actors } from './actors.ts'
import { Hearing } from './hearing.ts'
import type { Found } from './rounds.ts'
import { callOf } from './step.ts'
import { askText, denyText, noteText, stopText } from './wording.ts'

type Watched = Pick<Agent, 'id' | 'project' | 'driver' | 'cwd' | 'conversation'>
type LoopRecord = 'loop.noted' | 'loop.asked' | 'loop.stopped'

export interface LoopPorts {
  agent: (id: string) => Watched | null
  driver: (name: string) => Driver
  /** How often is often enough, each; 0 is never. */
  limits: { note: number; ask: number; stop: number }
  /** Whether its CLI asks a person when a hook wants it to. */
  canAsk: (id: string) => boolean
  /** Whether its hooks tell of tool calls; else only its transcript does. */
  hasToolHooks: (id: string) => boolean
  /** Reads what its conversation shows by now. */
  catchUp: (id: string) => Promise<void>
  /** False if the files are still being saved after that time: then it is unknown whether they changed. */
  settled: (id: string) => Promise<boolean>
  pause: (id: string, reason: string) => void
  /** The longest that a hook may take. */
  deadlineMs: number
  record: <T extends LoopRecord>(type: T, body: RecordBody<T>, agent: Watched) => void
  now: () => number
}

/** Notices agents that go in circles: says so first, then asks a person, then stops them. */
export class LoopWatch {
  readonly #ports: LoopPorts
  readonly #actors = new Actors()
  readonly #hearing: Hearing

  constructor(ports: LoopPorts) {
    this.#ports = ports
    this.#hearing = new Hearing(ports)
  }

  get responder(): Responder {
    return {
      name: 'loops',
      events: ['prompt', 'before_tool', 'after_tool', 'after_batch'],
      deadlineMs: this.#ports.deadlineMs,
      respond: async (call, room) => {
        const agent = call.agent === null ? null : this.#ports.agent(call.agent)
        if (agent === null) return {}
        if (call.event === 'before_tool') return this.#before(agent, call)
        return this.#after(agent, call, room)
      },
      explain: (call) => this.#wouldSay(call),
    }
  }

  /** The transcript tells what hooks do not. */
  onEntry(agent: Watched, entry: ConversationEntry): void {
    this.#hearing.read(agent, entry)
    const { track } = this.#actors.of(agent.id, null)
    if (entry.isReply && entry.text !== '') track.said(entry.text)
    if (this.#ports.hasToolHooks(agent.id)) return
    for (const step of this.#hearing.stepsIn(agent, entry)) track.done(step)
    this.#stopIfDue(agent, this.#actors.of(agent.id, null))
  }

  /** A person said no to what was asked: it counts as if it had ended as before. */
  onChange({ id }: Pick<Agent, 'id'>, _before: unknown, record: AnyNewRecord): void {
    if (record.type === 'agent.answered' && record.body.answer !== 'allow') this.#actors.refused(id)
  }

  /** The files of this agent are this now. */
  saved(agent: string, tree: string): void {
    this.#actors.changed(agent, tree)
  }

  async #before(agent: Watched, call: HookCall): Promise<ResponderReply> {
    const actor = this.#actors.of(agent.id, call.subagent?.id ?? null)
    const [tool] = call.tools
    if (tool === undefined) return {}
    const wanted = callOf(this.#ports.driver(call.driver), tool, call.cwd ?? agent.cwd)
    const { ask, stop } = this.#ports.limits
    const due = (): Found | null => {
      const found = actor.track.ahead(wanted)
      return reaches(found, ask) || reaches(found, stop) ? found : null
    }
    if (due() === null || !(await this.#ports.settled(agent.id))) return {}
    const found = due()
    if (found === null) return {}
    if (reaches(found, stop)) return this.#stop(agent, actor, found)
    const { loop } = found
    const isDenied = !this.#ports.canAsk(agent.id)
    this.#ports.record('loop.asked', { ...whereOf(agent, actor), loop, isDenied }, agent)
    if (tool.id !== null) actor.asked.set(tool.id, isDenied ? 'counted' : 'open')
    if (!isDenied) return { decision: { kind: 'ask', reason: askText(loop) } }
    // It was tried again, and would have ended as before.
    const again = actor.track.again(wanted)
    if (again !== null) actor.track.done({ ...again, at: this.#ports.now() })
    return { decision: { kind: 'deny', reason: denyText(loop) } }
  }

  #wouldSay(call: HookCall): Opinion[] {
    const agent = call.agent === null ? null : this.#ports.agent(call.agent)
    const [tool] = call.tools
    if (agent === null || tool === undefined || call.event !== 'before_tool') return []
    const { track } = this.#actors.of(agent.id, call.subagent?.id ?? null)
    const found = track.ahead(callOf(this.#ports.driver(call.driver), tool, call.cwd ?? agent.cwd))
    const { ask, stop } = this.#ports.limits
    if (found === null || !(reaches(found, ask) || reaches(found, stop))) return []
    const isDenied = reaches(found, stop) || !this.#ports.canAsk(agent.id)
    const { loop } = found
    return [
      {
        by: 'loops',
        ...(isDenied ? { kind: 'deny', reason: denyText(loop) } : { kind: 'ask', reason: askText(loop) }),
      },
    ]
  }

  #stop(agent: Watched, actor: Actor, { loop }: Found): ResponderReply {
    const reason = stopText(loop)
    this.#ports.record('loop.stopped', { ...whereOf(agent, actor), loop, reason }, agent)
    this.#actors.forget(agent.id)
    this.#ports.pause(agent.id, reason)
    return { decision: { kind: 'deny', reason: denyText(loop) } }
  }

  async #after(agent: Watched, call: HookCall, room: number): Promise<ResponderReply> {
    const actor = this.#actors.of(agent.id, call.subagent?.id ?? null)
    const { track } = actor
    const text = call.prompt ?? ''
    if (call.event !== 'prompt') for (const tool of call.tools) await this.#ended(agent, actor, call, tool)
    // A wake brings something new, and the text of Rein is no sign of a loop.
    else if (call.subagent === null) track.prompt(text, isOwnPrompt(text))
    const { note, stop } = this.#ports.limits
    const isToNote = (found: Found | null): found is Found => reaches(found, note) && !track.isNoted(found)
    const before = track.loop()
    if (!isToNote(before) && !reaches(before, stop)) return {}
    if (!(await this.#ports.settled(agent.id))) return {}
    if (this.#stopIfDue(agent, actor)) return {}
    const found = track.loop()
    if (!isToNote(found)) return {}
    const told = noteText(found.loop)
    if (told.length + contextSeparator.length > room) return {}
    track.noted(found)
    this.#ports.record('loop.noted', { ...whereOf(agent, actor), loop: found.loop, text: told }, agent)
    return { context: [{ from: 'loops', text: told }] }
  }

  async #ended(agent: Watched, actor: Actor, call: HookCall, tool: ToolCall): Promise<void> {
    const isKnown = tool.id !== null && actor.heard.has(tool.id)
    if (tool.id !== null) actor.heard.set(tool.id, true)
    const asked = tool.id === null ? undefined : actor.asked.get(tool.id)
    if (isKnown || asked === 'counted') return
    const step = await this.#hearing.stepOf(agent, call, tool)
    const again = asked === 'refused' ? actor.track.again(step) : null
    actor.track.done(again === null ? step : { ...again, at: step.at })
  }

  /** Where nothing is heard before a call, or no call is needed to go in circles. */
  #stopIfDue(agent: Watched, actor: Actor): boolean {
    const found = actor.track.loop()
    const isDue = reaches(found, this.#ports.limits.stop)
    if (isDue) this.#stop(agent, actor, found)
    return isDue
  }
}

const reaches = (found: Found | null, limit: number): found is Found =>
  found !== null && limit > 0 && found.loop.count >= limit

const whereOf = ({ conversation }: Watched, { subagent }: Actor) => ({ conversation, subagent })
