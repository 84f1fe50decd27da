import type { Asked } from './questions/person-asks.ts'
import type { Agent } from '../contract/agent.ts'
import { type HookCall, type HookReply, overProtocol, type Responder } from '../contract/hooks.ts'
import { runPipeline } from './hooks/pipeline.ts'
import { readable } from './hooks/readable.ts'
import type { Settings } from '../base/config/settings.ts'
import type { Journal } from '../contract/logs.ts'
import type { Supervisor } from './supervisor.ts'

interface Parts {
  supervisor: Supervisor
  journal: Journal
  settings: Settings
  /** It is known what became of a call. */
  conclude: (reply: HookReply) => void
}

/** What becomes of a call, whichever way it came: the one place where that is decided. */
export const decideCall = async (
  { supervisor, journal, settings, conclude }: Parts,
  responders: readonly Responder[],
  call: HookCall,
): Promise<HookReply> => {
  const { event, agent } = call
  const onTrouble = (where: string, reason: string): void => journal.write('trouble', { where, reason })
  // Where its CLI takes in nothing at a start, there is no room for anything: it is said with the first prompt.
  const isLost = event === 'session_start' && supervisor.find(agent)?.capabilities.onStart === false
  const said = await runPipeline(responders, call, onTrouble, isLost ? 0 : settings['inbox.context_budget'])
  const reply = supervisor.find(agent)?.questions.holdCall(call, said) ?? said
  conclude(reply)
  return readable(reply)
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
