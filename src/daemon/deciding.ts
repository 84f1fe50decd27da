import type { Asked } from '../agents/person-asks.ts'
import type { Agent } from '../contract/agent.ts'
import { type HookCall, type HookReply, overProtocol } from '../contract/hooks.ts'
import { runPipeline } from '../agents/hooks/pipeline.ts'
import { readable } from '../agents/hooks/readable.ts'
import type { Services } from './services.ts'

/** What becomes of a call, whichever way it came: the one place where that is decided. */
export const decideCall = async (services: Services, call: HookCall): Promise<HookReply> => {
  const { supervisor, journal, responders, rules } = services
  const onTrouble = (where: string, reason: string): void => journal.write('trouble', { where, reason })
  const said = await runPipeline(responders, call, onTrouble, roomFor(services, call))
  const reply = supervisor.hold(call, said)
  rules.conclude(call, reply)
  return readable(reply)
}

/** Where its CLI takes in nothing at a start, there is no room for anything: it is said with the first prompt. */
const roomFor = ({ supervisor, settings }: Services, { event, agent }: HookCall): number => {
  const isLost = event === 'session_start' && agent !== null && supervisor.capabilities(agent)?.onStart === false
  return isLost ? 0 : settings['inbox.context_budget']
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
