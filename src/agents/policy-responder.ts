import type { Agent } from '../contract/agent.ts'
import { type HookCall, overProtocol, type Responder } from '../contract/hooks.ts'
import type { Opinion } from '../contract/opinion.ts'
import { type Asked, askedAt } from './person-asks.ts'
import { opinionOf } from './policy.ts'

/** Answers permission requests by the policy of the agent that asks; what its protocol asks is answered there. */
export const policyResponder = (
  agentOf: (id: string) => Agent | null,
  asksPerson: (id: string, asked: Asked) => boolean,
): Responder => {
  const opinions = (call: HookCall): Opinion[] => {
    const agent = agentOf(call.agent ?? '')
    const asked = askedAt(call)
    if (agent === null || asked === null) return []
    const opinion = opinionOf(agent, asked.question, asksPerson(agent.id, asked))
    return opinion === null ? [] : [opinion]
  }
  return {
    name: 'policy',
    events: ['permission'],
    order: 10,
    deadlineMs: 50,
    respond: (call) => {
      const isForProtocol = agentOf(call.agent ?? '')?.host === 'stream' && call.native !== overProtocol
      return isForProtocol ? {} : { opinions: opinions(call) }
    },
    explain: opinions,
  }
}
