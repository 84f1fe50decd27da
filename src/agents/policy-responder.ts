import type { Agent } from '../contract/agent.ts'
import type { Responder } from '../contract/hooks.ts'
import { type Asked, askedAt } from './person-asks.ts'
import { judge } from './policy.ts'

/** Answers permission requests by the policy of the agent that asks; over a protocol they are answered there. */
export const policyResponder = (
  agentOf: (id: string) => Agent | null,
  asksPerson: (id: string, asked: Asked) => boolean,
): Responder => ({
  name: 'policy',
  events: ['permission'],
  order: 10,
  deadlineMs: 50,
  respond: (call) => {
    const agent = agentOf(call.agent ?? '')
    const asked = askedAt(call)
    if (agent === null || agent.host === 'stream' || asked === null) return {}
    const judgement = judge(agent, asked.question, asksPerson(agent.id, asked))
    return judgement === null ? {} : { verdict: judgement.verdict }
  },
})
