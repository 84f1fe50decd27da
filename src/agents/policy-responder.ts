import type { Agent } from '../contract/agent.ts'
import type { Responder } from '../contract/hooks.ts'
import { judge } from './policy.ts'

/** Answers permission requests by the policy of the agent that asks; over a protocol they are answered there. */
export const policyResponder = (
  agentOf: (id: string) => Agent | null,
  asksPerson: (id: string) => boolean,
): Responder => ({
  name: 'policy',
  events: ['permission'],
  order: 10,
  deadlineMs: 50,
  respond: ({ agent: id, question }) => {
    const agent = agentOf(id ?? '')
    if (agent === null || agent.host === 'stream' || question === null) return {}
    const judgement = judge(agent, question, asksPerson(agent.id))
    return judgement === null ? {} : { verdict: judgement.verdict }
  },
})
