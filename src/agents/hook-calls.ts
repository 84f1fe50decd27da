import type { Base } from '../base/base.ts'
import { errorMessage } from '../base/util/error-message.ts'
import type { Agent } from '../contract/agent.ts'
import { type HookCall, type HookReply, loseReply, overProtocol, type Responder } from '../contract/hooks.ts'
import type { HookMeta } from '../drivers/contract.ts'
import { findDriver } from '../drivers/registry.ts'
import type { AgentNeeds } from './agents.ts'
import type { Canaries } from './healing/canary.ts'
import { hookWaitMs } from './hooked-agents.ts'
import { runPipeline } from './hooks/pipeline.ts'
import { readable } from './hooks/readable.ts'
import type { OutsideAgents } from './identity/outside.ts'
import type { Asked } from './questions/person-asks.ts'
import type { Supervisor } from './supervisor.ts'

interface HookParts extends Pick<Base, 'journal' | 'settings'> {
  supervisor: Supervisor
  outside: OutsideAgents
  canaries: Canaries
  others: Pick<AgentNeeds, 'channels' | 'memory' | 'rules'>
}

interface HookAnswer {
  /** In the CLI's own words. */
  said: unknown
  /** To be called if the CLI does not get it. */
  lost: () => void
}

/** Answers the hook calls of agents, and what they ask over their protocols. */
export class HookCalls {
  readonly #parts: HookParts
  /** All who answer hooks, in their order: the features name theirs when they exist. */
  responders: readonly Responder[] = []

  constructor(parts: HookParts) {
    this.#parts = parts
  }

  /** One native hook call in, the CLI's own words out; null says nothing. `wanted`: the handle of a hand-started agent. */
  async answerHook(
    driverName: string,
    payload: unknown,
    meta: HookMeta,
    wanted: string | null,
  ): Promise<HookAnswer | null> {
    const { supervisor, canaries, outside, journal, others } = this.#parts
    if (canaries.hears(meta.agent ?? wanted, meta.native)) return null
    const driver = findDriver(driverName)
    const decoded = outside.identify(driver, driver.hooks.decode(payload, meta), wanted)
    const caller = supervisor.find(decoded.agent)
    if (caller?.admitsCall(decoded) !== true) return null
    caller.hearHook(decoded)
    const { id, handle } = caller.agent
    if (decoded.mode !== undefined) others.channels.channels.noteMode(id, decoded.mode)
    const call = await caller.conversation.attributeCall(decoded, hookWaitMs)
    const about = { agent: id, handle }
    if (call.event === 'after_batch' || call.event === 'after_tool')
      for (const { name } of call.tools) journal.write('tool_call', { ...about, tool: name, event: call.native })
    const reply = await this.decideCall(call)
    others.memory.conclude(call, reply)
    const answer = driver.hooks.encode(call, reply, caller.agent.version)
    caller.settleHook(call, reply, answer !== null)
    if (answer === null) return null
    journal.write('inject', { ...about, event: call.native, characters: JSON.stringify(answer).length })
    const onTrouble = (reason: string): void =>
      journal.write('trouble', { where: `hook ${call.native} of ${handle}`, reason })
    const lost = (): void => {
      onTrouble('the reply came too late')
      const onLost = [...(reply.onLost ?? []), () => caller.missReply(call, reply)]
      // Nobody waits for this: what it throws would end the daemon.
      loseReply({ onLost }, (cause) => onTrouble(`what was in the reply: ${errorMessage(cause)}`))
    }
    return { said: answer, lost }
  }

  /** What becomes of a call, whichever way it came: the one place where that is decided. */
  async decideCall(call: HookCall): Promise<HookReply> {
    const { supervisor, journal, settings, others } = this.#parts
    const caller = supervisor.find(call.agent)
    const onTrouble = (where: string, reason: string): void => journal.write('trouble', { where, reason })
    // Where its CLI takes in nothing at a start, there is no room for anything: it is said with the first prompt.
    const isLost = call.event === 'session_start' && caller?.capabilities.onStart === false
    const said = await runPipeline(this.responders, call, onTrouble, isLost ? 0 : settings['inbox.context_budget'])
    const reply = caller?.questions.holdCall(call, said) ?? said
    others.rules.conclude(call, reply)
    return readable(reply)
  }
}

/** A call that no hook has made, of an agent itself. */
export const unhooked = (agent: Agent, given: Partial<HookCall>): HookCall => ({
  driver: agent.driver,
  event: 'other',
  native: overProtocol,
  agent: agent.id,
  pid: null,
  conversation: agent.conversation,
  transcript: agent.transcript,
  cwd: agent.cwd,
  subagent: null,
  tools: [],
  prompt: null,
  source: null,
  question: null,
  raw: {},
  ...given,
})

/** A permission that an agent asks for over its protocol, as the hook of it would tell it. */
export const permissionCall = (agent: Agent, { question, call, tool }: Asked): HookCall => {
  const asked = tool ?? { name: question.tool, input: question.input }
  return unhooked(agent, {
    event: 'permission',
    question,
    tools: question.kind === 'permission' ? [{ id: call, ...asked }] : [],
  })
}
