import type { Agent } from '../contract/agent.ts'
import type { AnyRecord } from '../contract/record.ts'

type AgentRecord = Extract<AnyRecord, { type: `agent.${string}` }>
export const isAgentRecord = (record: AnyRecord): record is AgentRecord => record.type.startsWith('agent.')

/** What an agent is after one more record: the only place where it changes. */
export const evolve = (agent: Agent | undefined, record: AgentRecord): Agent | undefined => {
  if (record.type === 'agent.created') return record.body.agent
  if (agent === undefined) return undefined
  switch (record.type) {
    case 'agent.launched': {
      const { process, host, version, cwd, program, conversation, transcript } = record.body
      const fresh = { question: null, interruptedAt: null, stopBlocks: 0, evidence: null }
      return {
        ...agent,
        ...fresh,
        process,
        host,
        version,
        cwd,
        program: program ?? null,
        conversation,
        transcript,
        state: 'starting',
        since: record.at,
      }
    }
    case 'agent.state':
      return moved(agent, record.body, record.at)
    case 'agent.conversation':
      return { ...agent, conversation: record.body.conversation, transcript: record.body.transcript }
    case 'agent.stop_blocked':
      return { ...agent, stopBlocks: record.body.count }
    case 'agent.interrupted':
      return { ...agent, interruptedAt: record.at }
    case 'agent.foreign':
      return agent
    default:
      return record satisfies never
  }
}

type StateBody = Extract<AgentRecord, { type: 'agent.state' }>['body']

const moved = (agent: Agent, { state, evidence, question }: StateBody, at: number): Agent => ({
  ...agent,
  state,
  evidence,
  question,
  since: agent.state === state ? agent.since : at,
  process: state === 'stopped' || state === 'crashed' ? null : agent.process,
})
