import type { Agent } from '../../contract/agent.ts'
import { type HookCall, overProtocol, type Responder } from '../../contract/hooks.ts'
import type { Opinion } from '../../contract/opinion.ts'
import { type Asked, askedAt } from './person-asks.ts'
import { opinionOf } from './policy.ts'

const autoApproval: Opinion = { by: 'policy --auto-approve', kind: 'approve', reason: '' }

export interface PolicyPorts {
  agent: (id: string) => Agent | null
  /** Whether Rein wants a person to be asked about this. */
  asksPerson: (id: string, asked: Asked) => boolean
  /** Whether its CLI asks about everything, so that rules can forbid it: then Rein approves what was to run unasked. */
  asksAlways: (id: string) => boolean
}

/** Answers permission requests by the policy of the agent that asks; what its protocol asks is answered there. */
export const policyResponder = ({ agent: agentOf, asksPerson, asksAlways }: PolicyPorts): Responder => {
  const opinions = (call: HookCall): Opinion[] => {
    const agent = agentOf(call.agent ?? '')
    const asked = askedAt(call)
    if (agent === null || asked === null) return []
    const isForPerson = asksPerson(agent.id, asked)
    const opinion = opinionOf(agent, asked.question, isForPerson)
    const isUnasked =
      agent.request?.autoApprove === true && asked.question.kind === 'permission' && asksAlways(agent.id)
    if (isUnasked && !isForPerson && opinion?.kind !== 'deny') return [autoApproval]
    return opinion === null ? [] : [opinion]
  }
  return {
    name: 'policy',
    events: ['permission'],
    deadlineMs: 50,
    respond: (call) => {
      const isForProtocol = agentOf(call.agent ?? '')?.host === 'stream' && call.native !== overProtocol
      return isForProtocol ? {} : { opinions: opinions(call) }
    },
    explain: opinions,
  }
}
